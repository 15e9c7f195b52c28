// The form of a new game: game, options, names and seats.
import { $, fresh, get, says, submitted, tell } from "./box.js";
import { state, whenNew } from "./live.js";

const form = $("#begin");
const COLOURS = ["red", "blue", "green", "yellow", "white", "black", "orange", "pink", "grey", "brown"];
let kinds = null;
let people = [];
let places = [];

export function setup() {
  addEventListener("hashchange", load);
  form.addEventListener("change", (event) => {
    if (event.target.name === "kind") choose();
    else if (event.target.name === "players" || event.target.name === "seats") seat();
    unfold();
  });
  submitted(form, begin);
  whenNew((now) => ($("#aside").hidden = !now.game || now.over));
  load();
}

async function load() {
  if (location.hash !== "#setup" || !$("#now .keys")) return;
  if (kinds) return;
  const told = await get("/api/games");
  places = told.seats.map(({ seat }) => seat).sort((one, other) => one - other);
  kinds = told.games.flatMap((game) => game.variants.map((variant) => ({ ...variant, game: game.name, title: game.title })));
  people = told.people;
  $("#people").replaceChildren(...people.map((name) => new Option(name)));
  $("#kinds").replaceChildren(...kinds.map(kind));
  choose();
  unfold();
}

function kind(variant, at) {
  const label = document.createElement("label");
  const radio = Object.assign(document.createElement("input"), { type: "radio", name: "kind", value: at, checked: !at });
  const title = document.createElement("b");
  title.textContent = variant.label === variant.title ? variant.title : `${variant.title} · ${variant.label}`;
  const about = document.createElement("small");
  about.textContent = variant.about;
  label.append(radio, title, about);
  return label;
}

const chosen = () => kinds[Number(form.elements.kind.value)];

function choose() {
  $("#choices").replaceChildren(...chosen().choices.map(choice));
  seat();
}

function choice(asked) {
  const label = document.createElement("label");
  label.textContent = asked.question;
  let field;
  if (asked.values.length) {
    field = document.createElement("select");
    field.append(...asked.values.map(({ value, label }) => new Option(label, value, value === asked.usual, value === asked.usual)));
  } else {
    field = Object.assign(document.createElement("input"), { type: "number", min: asked.low, max: asked.high, value: asked.usual });
    field.required = true;
  }
  field.name = asked.name;
  label.append(field);
  return label;
}

// Ask only for the limit that applies: points or rounds.
function unfold() {
  const end = form.elements.end?.value;
  for (const [name, when] of [["rounds", "rounds"], ["target", "target"], ["cmp", "target"]]) {
    const field = form.elements[name];
    if (field && end) field.disabled = field.parentElement.hidden = end !== when;
  }
}

function seat() {
  const field = form.elements.players;
  const count = Math.min(Math.max(Number(field.value) || 0, Number(field.min)), Number(field.max));
  const list = $("#names");
  while (list.children.length > count) list.lastChild.remove();
  while (list.children.length < count) list.append(named(list.children.length + 1));
  const seats = form.elements.seats ? form.elements.seats.value === "on" : chosen().words.includes("anniversary");
  for (const label of list.querySelectorAll(".seat")) label.hidden = !seats;
}

function named(player) {
  const item = fresh("name");
  $(".who", item).classList.add(`p-${COLOURS[player - 1]}`);
  const name = $("input", item);
  name.setAttribute("aria-label", `${$("span", name.parentElement).textContent} ${player}`);
  const had = state?.people.find((person) => person.player === player)?.name ?? "";
  if (people.includes(had)) name.value = had;
  else name.placeholder = had;
  const seats = $("select", item);
  const spots = places.length < player ? [...places, player] : places;
  seats.append(...spots.map((spot) => new Option(spot, spot, spot === player, spot === player)));
  seats.setAttribute("aria-label", `${$(".seat span", item).textContent} ${player}`);
  return item;
}

// Defaults are left out. A running game is set aside and can be resumed, as the form says.
async function begin(given) {
  const { choices, words } = chosen();
  const said = choices
    .filter(({ name, usual }) => given.has(name) && String(given.get(name)) !== usual)
    .map(({ name }) => `${name}=${given.get(name)}`);
  const spots = given.getAll("seat");
  const seats = !$("#names .seat").hidden;
  if (seats && spots.some((spot, at) => Number(spot) !== at + 1)) said.push(`spots=${spots.join(",")}`);
  const now = await get("/api/state");
  if (now.game && now.over) await tell("game:leave");
  else if (now.game) (await tell("game:new")) && (await tell("yes game:new"));
  if (!(await tell([words, ...said].join(" ")))) return;
  const after = await get("/api/state");
  if (!after.game) {
    await tell("back");
    says(after.prompt);
    return;
  }
  let player = 0;
  for (const name of given.getAll("name").map((typed) => typed.trim())) {
    player += 1;
    const had = after.people.find((person) => person.player === player)?.name;
    if (name && name !== had && !(await tell(`people:name ${player} ${name}`))) return;
  }
  location.hash = "#table";
}
