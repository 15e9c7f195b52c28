// The camera picture, refreshed while this part of the page is open.
import { $ } from "./box.js";

const EVERY = 2000;
const still = $("#still");
let timer;

export function camera() {
  addEventListener("hashchange", look);
  document.addEventListener("visibilitychange", look);
  $("#again").addEventListener("click", look);
  look();
}

async function look() {
  clearTimeout(timer);
  if (location.hash !== "#camera" || document.hidden || !$("#now .keys")) return;
  try {
    const answer = await fetch(`/camera.jpg?lang=${document.documentElement.lang}`);
    if (answer.ok) show(await answer.blob());
    else refuse((await answer.json()).error);
  } catch {
    refuse($("#t-lost").content.textContent);
  }
  timer = setTimeout(look, EVERY);
}

// As a data URL: the content security policy allows no blob.
function show(picture) {
  const reader = new FileReader();
  reader.addEventListener("load", () => {
    still.src = reader.result;
    still.hidden = false;
    $("#unseen").textContent = "";
  });
  reader.readAsDataURL(picture);
}

function refuse(why) {
  still.hidden = true;
  still.removeAttribute("src");
  if ($("#unseen").textContent !== why) $("#unseen").textContent = why;
}
