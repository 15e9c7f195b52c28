// Pieces that the person drags. The page draws the piece in the fingers itself; the camera picture follows.
import { $ } from "./box.js";
import { act, table, whenTable, words } from "./table.js";

const DRAG_PX = 6;
const STEP_MM = 8;
const FINE_MM = 1.5;
const LANDING_MS = 2500;
const ROW_MM = { along: 78, across: 30 };
const SNAP = 0.42;
const SEND_MS = 120;

const view = $("#view");
const places = $("#pieces");
const hand = $("#hand");
const things = $("#things");
const flying = new Set(); // pieces between the fingers and the picture of the camera
let held = null;
let chosen = null;

// Millimetres of the table to pixels of the view, and back.
const map = (m, x, y) => {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
};
const inverse = ([a, b, c, d, e, f, g, h, i]) => [
  e * i - f * h, c * h - b * i, b * f - c * e,
  f * g - d * i, a * i - c * g, c * d - a * f,
  d * h - e * g, b * g - a * h, a * e - b * d,
];
const toView = (x, y) => {
  const [u, v] = map(table.now.to_picture, x, y);
  return [u * view.clientWidth, v * view.clientHeight];
};
const toTable = (px, py) => map(inverse(table.now.to_picture), px / view.clientWidth, py / view.clientHeight);

function place(element, x, y, angle) {
  const [cx, cy] = toView(x, y);
  const [ax, ay] = toView(x + 10, y);
  const scale = Math.hypot(ax - cx, ay - cy) / 10;
  const turn = angle + (Math.atan2(ay - cy, ax - cx) * 180) / Math.PI;
  const [wide, high] = table.now.size;
  element.style.width = `${wide * scale}px`;
  element.style.height = `${high * scale}px`;
  element.style.transform = `translate(${cx}px, ${cy}px) rotate(${turn}deg) translate(-50%, -50%)`;
  return scale;
}

const face = (piece) => `url("/table/piece/${table.now.game}/${encodeURIComponent(piece)}.png")`;

function button(piece) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = table.now.tiles ? "piece tile" : "piece";
  made.dataset.name = piece.name;
  return made;
}

// Elements stay with their piece, so that the focus does.
function fill(list, some, then) {
  const there = new Map([...list.querySelectorAll(".piece")].map((element) => [element.dataset.name, element]));
  let place = 0;
  for (const piece of some) {
    let element = there.get(piece.name);
    if (!element) {
      element = button(piece);
      const item = document.createElement("li");
      item.append(element);
      list.append(item);
    }
    if (list.children[place] !== element.parentElement) list.insertBefore(element.parentElement, list.children[place] ?? null);
    place += 1;
    there.delete(piece.name);
    element.ariaLabel = piece.label;
    then(element, piece);
  }
  for (const element of there.values()) {
    if (element !== held?.element) element.parentElement.remove(); // the finger holds on to it
  }
}

function draw(now) {
  hand.style.setProperty("--shape", now.size[0] / now.size[1]);
  fill(places, now.pieces, (element, piece) => {
    place(element, piece.x, piece.y, piece.angle);
    element.style.zIndex = piece.over;
  });
  const own = now.hand.filter((piece) => !flying.has(piece.name) && (held?.own || piece.name !== held?.name));
  fill(hand, own, (element, piece) => (element.style.backgroundImage = face(piece.picture)));
  $("#hand-empty").hidden = own.length > 0;
  zones(now);
  thing("mug", now.mug);
  thing("arm", now.arm);
  if (chosen && !document.querySelector(`.piece[data-name="${CSS.escape(chosen)}"]`)) choose(null);
}

function zones(now) {
  $("#zones").replaceChildren(
    ...now.zones.map(({ label, left, top, right, bottom }) => {
      const area = document.createElement("i");
      const corners = [toView(left, top), toView(right, top), toView(left, bottom), toView(right, bottom)];
      const [xs, ys] = [0, 1].map((n) => corners.map((corner) => corner[n]));
      area.style.transform = `translate(${Math.min(...xs)}px, ${Math.min(...ys)}px)`;
      area.style.width = `${Math.max(...xs) - Math.min(...xs)}px`;
      area.style.height = `${Math.max(...ys) - Math.min(...ys)}px`;
      area.textContent = label;
      return area;
    }),
  );
}

function thing(kind, at) {
  let element = $(`[data-handle=${kind}]`, things);
  if (!at) return element?.remove();
  if (!element) {
    element = document.createElement("button");
    element.type = "button";
    element.className = "handle";
    element.dataset.handle = kind;
    element.ariaLabel = words[kind];
    things.append(element);
  }
  if (held?.element === element) return;
  const [x, y] = toView(...at);
  element.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
}

const found = (name) => table.now.pieces.find((piece) => piece.name === name);
const inHand = (name) => table.now.hand.find((piece) => piece.name === name);
const how = () => $("#how :checked").value;

// A tile that is pushed against others lies beside them, edge to edge.
function fitted(x, y, name) {
  if (!table.now.tiles) return [x, y, 0];
  const { pitch } = table.now;
  let best = null;
  for (const other of table.now.pieces) {
    if (other.name === name) continue;
    for (let side = 0; side < 6; side += 1) {
      const way = ((other.angle + side * 60) * Math.PI) / 180;
      const spot = [other.x + pitch * Math.cos(way), other.y + pitch * Math.sin(way)];
      const off = Math.hypot(spot[0] - x, spot[1] - y);
      const free = !table.now.pieces.some((it) => it.name !== name && Math.hypot(it.x - spot[0], it.y - spot[1]) < 0.7 * pitch);
      if (free && off < SNAP * pitch && (!best || off < best.off)) best = { off, at: [...spot, other.angle] };
    }
  }
  return best ? best.at : [x, y, 0];
}

function lift(element, name) {
  const piece = found(name) ?? inHand(name);
  if (!piece) return null;
  choose(null);
  const own = !found(name);
  const ghost = document.createElement("div");
  ghost.className = `piece lifted${table.now.tiles ? " tile" : ""}`;
  const down = own ? how() === "down" && !table.now.tiles : piece.face_down;
  ghost.style.backgroundImage = face(down ? "back" : piece.picture);
  document.body.append(ghost);
  ghost.style.position = "fixed";
  element.classList.add("lifted");
  document.body.classList.add("dragging");
  held = { element, name, own, ghost, down, angle: own ? 0 : piece.angle, x: piece.x ?? table.now.area[0] / 2, y: piece.y ?? table.now.area[1] / 2 };
  if (!own) act({ act: "lift", name });
  return held;
}

function hover(x, y) {
  const box = view.getBoundingClientRect();
  [held.x, held.y] = toTable(x - box.left, y - box.top);
  follow();
}

function follow() {
  const box = view.getBoundingClientRect();
  place(held.ghost, held.x, held.y, held.angle);
  held.ghost.style.transform = `translate(${box.left}px, ${box.top}px) ${held.ghost.style.transform}`;
}

function inside(element, x, y) {
  const box = element.getBoundingClientRect();
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

function release() {
  const was = held;
  held = null;
  was.element.classList.remove("lifted");
  document.body.classList.remove("dragging");
  $("#pile").classList.remove("near");
  return was;
}

async function put(was, x, y, angle, under) {
  const { ghost } = was;
  flying.add(was.name);
  draw(table.now);
  view.append(ghost);
  ghost.style.position = "absolute";
  ghost.classList.add("landing");
  ghost.classList.remove("lifted");
  place(ghost, x, y, angle);
  if (under) ghost.style.opacity = 0;
  const done = await act({ act: "put", name: was.name, x, y, angle, face_down: was.down, under });
  if (done) await shown(2);
  flying.delete(was.name);
  ghost.remove();
  draw(table.now);
}

// The camera has shown this many more pictures, or takes too long.
const shown = (count) =>
  new Promise((done) => {
    const until = table.pictures + count;
    const late = setTimeout(done, LANDING_MS);
    const seen = () => {
      if (table.pictures < until) return;
      view.removeEventListener("picture", seen);
      clearTimeout(late);
      done();
    };
    view.addEventListener("picture", seen);
  });

function lay() {
  const was = release();
  const [x, y, angle] = fitted(was.x, was.y, was.name);
  put(was, x, y, table.now.tiles && angle ? angle : was.angle, was.own && how() === "under");
}

function back() {
  const was = release();
  const piece = found(was.name) ?? was.from;
  if (was.own || !piece) {
    was.ghost.remove();
    draw(table.now);
  } else put(was, piece.x, piece.y, piece.angle, false);
}

function drop(x, y) {
  const name = held.name;
  if (inside(view, x, y)) return lay();
  if (!held.own && inside($("#pile"), x, y)) {
    release().ghost.remove();
    draw(table.now);
    return act({ act: "take", names: [name] });
  }
  if (!held.own && inside($(".hand-rail"), x, y)) {
    release().ghost.remove();
    draw(table.now);
    return act({ act: "keep", names: [name] });
  }
  return back();
}

// A row: the card and what is beside it, edge to edge or overlapped.
function neighbours(name) {
  const all = table.now.pieces;
  const some = new Set([found(name)]);
  for (const piece of some) {
    for (const other of all) {
      if (Math.abs(other.x - piece.x) < ROW_MM.along && Math.abs(other.y - piece.y) < ROW_MM.across) some.add(other);
    }
  }
  return [...some].map((piece) => piece.name);
}

function choose(name) {
  chosen = name;
  for (const element of document.querySelectorAll(".piece.chosen")) element.classList.remove("chosen");
  const element = name && document.querySelector(`.piece[data-name="${CSS.escape(name)}"]`);
  element?.classList.add("chosen");
  const bar = $("#choice");
  bar.hidden = !name || !found(name);
  if (bar.hidden) return;
  for (const kind of ["turn", "under", "take", "win"]) $(`[data-choice=${kind}]`).hidden = table.now.tiles;
  const box = element.getBoundingClientRect();
  const left = Math.min(Math.max(8, box.left + box.width / 2 - bar.offsetWidth / 2), innerWidth - bar.offsetWidth - 8);
  const above = box.top - bar.offsetHeight - 8;
  bar.style.left = `${left + scrollX}px`;
  bar.style.top = `${(above > 8 ? above : box.bottom + 8) + scrollY}px`;
}

function grab(event) {
  const element = event.target.closest(".piece, .handle");
  if (!element || event.button || held || !table.now) return;
  event.preventDefault();
  element.focus({ preventScroll: true });
  element.setPointerCapture(event.pointerId);
  const start = [event.clientX, event.clientY];
  const move = element.dataset.handle ? thingMoves(element) : pieceMoves(element, start);
  let moved = false;
  const on = (next) => {
    if (next.pointerId !== event.pointerId) return;
    moved ||= Math.hypot(next.clientX - start[0], next.clientY - start[1]) > DRAG_PX;
    if (moved) move.to(next.clientX, next.clientY);
  };
  const off = (next) => {
    if (next.pointerId !== event.pointerId) return;
    for (const [kind, then] of ends) removeEventListener(kind, then);
    if (!moved) move.tap?.();
    else if (next.type === "pointercancel") move.cancel?.();
    else move.drop(next.clientX, next.clientY);
  };
  const ends = [["pointermove", on], ["pointerup", off], ["pointercancel", off]];
  for (const [kind, then] of ends) addEventListener(kind, then);
}

function pieceMoves(element, start) {
  const name = element.dataset.name;
  let grip = null;
  return {
    to(x, y) {
      if (!held) {
        const box = element.getBoundingClientRect();
        const [cx, cy] = [box.left + box.width / 2, box.top + box.height / 2];
        grip = found(name) ? [start[0] - cx, start[1] - cy] : [0, 0];
        if (!lift(element, name)) return;
        held.from = found(name);
      }
      hover(x - grip[0], y - grip[1]);
      $("#pile").classList.toggle("near", !held.own && inside($("#pile"), x, y));
    },
    tap: () => choose(chosen === name ? null : name),
    drop: (x, y) => held && drop(x, y),
    cancel: () => held && back(),
  };
}

function thingMoves(element) {
  const kind = element.dataset.handle;
  let sent = 0;
  const at = (x, y) => {
    const box = view.getBoundingClientRect();
    element.style.transform = `translate(${x - box.left}px, ${y - box.top}px) translate(-50%, -50%)`;
    return toTable(x - box.left, y - box.top);
  };
  return {
    to(x, y) {
      held = { element };
      const spot = at(x, y);
      if (performance.now() - sent < SEND_MS) return;
      sent = performance.now();
      act({ act: kind, at: spot });
    },
    drop(x, y) {
      held = null;
      act({ act: kind, at: at(x, y) });
    },
    cancel: () => (held = null),
  };
}

function keys(event) {
  const element = event.target.closest?.(".piece, .handle");
  const step = event.shiftKey ? FINE_MM : STEP_MM;
  const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
  if (held?.keyboard) {
    if (way) {
      held.x += way[0];
      held.y += way[1];
      follow();
    } else if (event.key === "Enter" || event.key === " ") lay();
    else if (event.key === "Escape") back();
    else return;
    event.preventDefault();
    return;
  }
  if (!element || held) return;
  if (element.dataset.handle && way) {
    const now = table.now[element.dataset.handle];
    act({ act: element.dataset.handle, at: [now[0] + way[0] * 3, now[1] + way[1] * 3] });
    event.preventDefault();
    return;
  }
  const name = element.dataset.name;
  const own = Boolean(inHand(name));
  if (way ? !own : own && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    const from = found(name);
    if (!lift(element, name)) return;
    Object.assign(held, { keyboard: true, from });
    follow();
    $("#heard").textContent = words.lifted.replace("§", element.ariaLabel);
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(chosen === name ? null : name);
    $("#choice button:not([hidden])").focus();
  } else if (event.key === "Escape") choose(null);
}

export function pieces() {
  whenTable(draw);
  addEventListener("resize", () => table.now && draw(table.now));
  document.addEventListener("pointerdown", grab);
  document.addEventListener("keydown", keys);
  view.addEventListener("click", (event) => {
    const own = chosen && inHand(chosen);
    if (!own || event.target.closest(".piece, .handle")) {
      if (!event.target.closest(".piece")) choose(null);
      return;
    }
    const element = document.querySelector(`#hand .piece[data-name="${CSS.escape(chosen)}"]`);
    if (lift(element, chosen)) {
      hover(event.clientX, event.clientY);
      lay();
    }
  });
  $("#choice").addEventListener("click", (event) => {
    const kind = event.target.closest("button")?.dataset.choice;
    const piece = chosen && found(chosen);
    if (!kind || !piece) return;
    choose(null);
    const { name, x, y, angle } = piece;
    if (kind === "turn") act({ act: "turn", name });
    if (kind === "under") act({ act: "put", name, x, y, angle, face_down: piece.face_down, under: true });
    if (kind === "keep") act({ act: "keep", names: [name] });
    if (kind === "win") act({ act: "take", names: [name] });
    if (kind === "take") act({ act: "take", names: neighbours(name) });
  });
  for (const toggle of document.querySelectorAll("[data-thing]")) {
    toggle.addEventListener("click", () => {
      const kind = toggle.dataset.thing;
      const [wide, high] = table.now.area;
      act({ act: kind, at: table.now[kind] ? null : [wide / 2, high / 2] });
    });
  }
}
