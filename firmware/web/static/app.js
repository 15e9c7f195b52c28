"use strict";

const events = new EventSource("/api/events" + location.search);
events.addEventListener("state", (event) => {
  const state = JSON.parse(event.data);
  document.getElementById("prompt").textContent = state.prompt;
});
