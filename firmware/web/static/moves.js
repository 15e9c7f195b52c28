// The moves of the game, newest first; on paired phones with buttons to take back or correct each.
import { $, fresh, get, submitted, tell } from "./box.js";
import { whenNew } from "./live.js";

const list = $("#done");
let shown = "";

export function moves() {
  submitted($("#tell"), async (given) => {
    if (await tell(given.get("words"))) $("#tell").reset();
  });
  whenNew((state) => load(state));
  addEventListener("hashchange", () => load());
}

async function load(state) {
  const now = state && `${state.number} ${state.moves} ${state.paired}`;
  if (location.hash !== "#moves" || (now && now === shown) || $("details[open]", list)) return;
  try {
    const told = await get("/api/history");
    if ($("details[open]", list)) return; // a correction is being typed
    const paired = Boolean($("#now .keys"));
    shown = now ?? "";
    list.replaceChildren(...told.moves.reverse().map((move) => line(move, paired)));
    $("#later").hidden = !told.later;
  } catch {
    list.replaceChildren();
  }
}

function line(move, paired) {
  const item = fresh("move");
  item.value = move.number + 1;
  item.classList.add(move.told || "seen");
  $(".what", item).textContent = move.text;
  $("small", item).textContent = move.at ? new Date(move.at * 1000).toLocaleTimeString([], { timeStyle: "short" }) : "";
  if (!paired || !move.back) {
    const plain = document.createElement("p");
    plain.append(...$("summary", item).children);
    item.replaceChildren(plain);
    return item;
  }
  const form = $("form", item);
  form.elements.words.value = move.words;
  $(".back", item).addEventListener("click", async () => done(await tell(move.back)));
  submitted(form, async (given) => done(await tell(`${move.instead} ${given.get("words")}`)));
  return item;
}

function done(well) {
  if (!well) return;
  $("details[open]", list)?.removeAttribute("open");
  shown = "";
  load();
}
