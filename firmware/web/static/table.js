// Entry point of the simulated table: the camera picture, the state of the table, and what the person changes about it.
import { $, post, says, tell } from "./box.js";
import { follow } from "./live.js";
import { pieces } from "./table_pieces.js";
import { tour } from "./table_tour.js";

const RETRY_MS = 700;
const language = `lang=${document.documentElement.lang}`;
const view = $("#view");
const canvas = $("#picture");
const brush = canvas.getContext("2d");
const heard = [];

export const words = Object.fromEntries(
  [...$("#t-words").content.children].map((word) => [word.dataset.word, word.textContent]),
);

export const table = { now: null, pictures: 0 };

// Sends one act. False if the table refused it, which is then shown.
export async function act(what) {
  try {
    const answer = await post("/api/table", what);
    says(answer.ok ? "" : answer.says);
    return Boolean(answer.ok);
  } catch {
    says($("#t-lost").content.textContent);
    return false;
  }
}

export const whenTable = (then) => heard.push(then);

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const visible = () => document.hidden && new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));

// One picture after the other, each as soon as the camera has it; none while nobody sees the page.
async function film() {
  for (;;) {
    await visible();
    try {
      const seen = $("#eyes").ariaPressed === "true" ? "&seen" : "";
      const answer = await fetch(`/table/picture.jpg?n=${table.pictures}${seen}`);
      if (!answer.ok) throw new Error(answer.statusText);
      const picture = await createImageBitmap(await answer.blob());
      if (canvas.width !== picture.width || canvas.height !== picture.height) {
        canvas.width = picture.width;
        canvas.height = picture.height;
      }
      brush.drawImage(picture, 0, 0);
      picture.close();
      view.classList.add("seen");
      table.pictures += 1;
      view.dispatchEvent(new Event("picture"));
    } catch {
      view.classList.remove("seen"); // the box starts, or starts again
      await pause(RETRY_MS);
    }
  }
}

function listen() {
  const events = new EventSource(`/table/events?${language}`);
  events.addEventListener("table", (event) => {
    table.now = JSON.parse(event.data);
    show(table.now);
    for (const then of heard) then(table.now);
  });
  events.addEventListener("error", () => events.readyState === EventSource.CLOSED && setTimeout(listen, 3000));
}

function show(now) {
  view.style.setProperty("--ratio", now.ratio);
  if (now.screen && $("#screen").src !== now.screen) $("#screen").src = now.screen;
  press("#pace", "pace", now.pace);
  press("#mistakes", "often", now.mistakes);
  $("[data-thing=arm]").ariaPressed = String(now.arm !== null);
  $("[data-thing=mug]").ariaPressed = String(now.mug !== null);
  for (const lamp of document.querySelectorAll("[data-light]")) lamp.ariaPressed = String(lamp.dataset.light === now.lamp);
  $("#you").textContent = now.you;
  $("#taken").textContent = now.taken;
  $("#pile").hidden = $("#how").hidden = now.tiles;
  $("#deck").hidden = !now.deck;
  $("#advice").textContent = now.advice;
  $("#advice").hidden = !now.advice;
}

function press(group, name, value) {
  for (const button of $(group).querySelectorAll("[aria-pressed]")) button.ariaPressed = String(button.dataset[name] === value);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.words) tell(button.dataset.words);
  const { act: what, light } = button.dataset;
  if (what === "pace") act({ act: what, pace: button.ariaPressed === "true" ? "real" : button.dataset.pace });
  if (what === "mistakes") act({ act: what, often: button.dataset.often });
  if (what === "press") act({ act: what, button: button.dataset.button, long: button.dataset.long === "yes" });
  if (["knock", "power", "draw"].includes(what)) act({ act: what });
  if (what === "scenario") {
    $("#scenarios").open = false;
    act({ act: what, name: button.dataset.name });
  }
  if (light) act({ act: "lamp", light: button.ariaPressed === "true" ? "daylight" : light });
  if (button.id === "eyes") button.ariaPressed = String(button.ariaPressed !== "true");
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
});
document.addEventListener("pointerdown", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

pieces();
tour();
follow();
listen();
film();
