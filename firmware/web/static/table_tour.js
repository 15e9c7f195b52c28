// The tour of the first minute: three bubbles, then nothing in the way.
import { $ } from "./box.js";
import { table, whenTable } from "./table.js";

const KEPT = "oxeye-tour";
const steps = [...$("#t-tour").content.querySelectorAll("li")];
const bubble = $("#tour");
const next = $("#tour-next").textContent;
let step = 0;

function kept(value) {
  try {
    if (value) localStorage.setItem(KEPT, value);
    return localStorage.getItem(KEPT);
  } catch {
    return value ?? null; // a browser that keeps nothing shows the tour each time
  }
}

function show() {
  const { at } = steps[step].dataset;
  const last = step === steps.length - 1;
  $("#tour-words").textContent = steps[step].textContent;
  $("#tour-end").hidden = last;
  $("#tour-next").textContent = last ? $("#tour-end").textContent : next;
  if (!bubble.open) bubble.show();
  const box = document.getElementById(at).getBoundingClientRect();
  const [wide, high] = [bubble.offsetWidth, bubble.offsetHeight];
  const left = at === "screen" && box.left > wide + 24 ? box.left - wide - 12 : box.left + (box.width - wide) / 2;
  const top = at === "hand" ? box.top - high - 12 : at === "view" ? box.top + 24 : box.bottom + 12;
  bubble.style.left = `${Math.min(Math.max(12, left), innerWidth - wide - 12)}px`;
  bubble.style.top = `${Math.min(Math.max(12, top), innerHeight - high - 12)}px`;
}

function end() {
  bubble.close();
  kept("seen");
}

function begin() {
  step = 0;
  show();
}

// A scenario has advice of its own: there the tour waits for its button.
function welcome() {
  if (kept()) return;
  let first = true;
  whenTable(({ advice }) => {
    if (first && !advice && table.pictures) begin();
    else if (first && !advice) $("#view").addEventListener("picture", begin, { once: true });
    first = false;
  });
}

export function tour() {
  $("#tour-next").addEventListener("click", () => {
    step += 1;
    if (step < steps.length) show();
    else end();
  });
  $("#tour-end").addEventListener("click", end);
  $("#tour-again").addEventListener("click", begin);
  bubble.addEventListener("keydown", (event) => event.key === "Escape" && end());
  addEventListener("resize", () => bubble.open && show());
  welcome();
}
