// Entry point of the scripts. Without them the page shows the table as it was when it was opened.
import { $, post, says, submitted, tell } from "./box.js";
import { camera } from "./camera.js";
import { follow, whenNew } from "./live.js";
import { moves } from "./moves.js";
import { setup } from "./setup.js";

document.addEventListener("click", (event) => {
  const words = event.target.closest("[data-words]")?.dataset.words;
  if (words) tell(words);
});

submitted($("#pair"), async (given) => {
  const answer = await post("/api/pair", { code: given.get("code") });
  if (answer.paired) location.reload();
  else says(answer.says);
});

$("#unpair").addEventListener("click", async () => {
  await post("/api/unpair", {});
  location.reload();
});

function here() {
  const at = location.hash || "#table";
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === at) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

addEventListener("hashchange", here);
here();

whenNew((state) => {
  for (const item of document.querySelectorAll("#away .played")) item.hidden = !state.number;
  for (const link of document.querySelectorAll("[data-game]")) link.href = link.dataset.game.replace("N", state.number);
});

moves();
setup();
camera();
follow();
