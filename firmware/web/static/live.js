// Follows the event stream and updates the parts of the page that have changed.
import { $ } from "./box.js";

const PLACES = ["now", "lying", "scores"];
const heard = [];

export let state = null;

export const whenNew = (then) => heard.push(then);

export function follow() {
  const events = new EventSource(`/api/events?live&lang=${document.documentElement.lang}`);
  let lost;
  events.addEventListener("open", () => {
    clearTimeout(lost);
    lost = undefined;
    $("#lost").textContent = "";
  });
  events.addEventListener("error", () => {
    lost ??= setTimeout(() => ($("#lost").textContent = $("#t-lost").content.textContent), 2000);
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 5000);
  });
  events.addEventListener("state", (event) => (state = JSON.parse(event.data)));
  events.addEventListener("live", (event) => {
    put(JSON.parse(event.data));
    for (const then of heard) then(state);
  });
}

function put(told) {
  const now = new DOMParser().parseFromString(told, "text/html");
  const busy = $("#now").contains(document.activeElement);
  for (const place of PLACES) {
    const there = document.getElementById(place); // the page of the simulated table has no drawing of the table
    if (there) morph(there, now.getElementById(place), ["id"]);
  }
  document.title = $("#title").textContent = state.title;
  $("#title").classList.toggle("unseen", !state.game);
  // the pressed button may be gone: move the keyboard focus to the prompt
  if (busy && document.activeElement === document.body) $("#prompt").focus({ preventScroll: true });
}

// Elements are changed in place, so that touches, the focus and screen readers keep their element.
function morph(old, now, keep = []) {
  for (const { name, value } of now.attributes) {
    if (!keep.includes(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of keep.length ? [] : [...old.attributes]) {
    if (!now.hasAttribute(name)) old.removeAttribute(name);
  }
  const keyed = new Map([...old.children].map((child) => [key(child), child]));
  let place = old.firstChild;
  for (const wanted of [...now.childNodes]) {
    const there = wanted.nodeType === 1 && key(wanted) ? keyed.get(key(wanted)) : alike(place, wanted) ? place : null;
    if (there && there.nodeName === wanted.nodeName) {
      if (there === place) place = place.nextSibling;
      else old.insertBefore(there, place);
      if (there.nodeType === 1) morph(there, wanted);
      else if (there.data !== wanted.data) there.data = wanted.data;
    } else {
      const added = document.importNode(wanted, true);
      if (added.nodeType === 1) added.classList.add("new");
      old.insertBefore(added, place);
    }
  }
  while (place) {
    const after = place.nextSibling;
    place.remove();
    place = after;
  }
}

const key = (element) => element.dataset?.key;

const alike = (place, wanted) =>
  place && place.nodeType === wanted.nodeType && place.nodeName === wanted.nodeName && !key(place);
