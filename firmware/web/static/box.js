// Requests to the box: commands and JSON.
const language = `lang=${document.documentElement.lang}`;

export const $ = (selector, within = document) => within.querySelector(selector);

export const fresh = (id) => $(`#t-${id}`).content.firstElementChild.cloneNode(true);

export async function get(path) {
  const answer = await fetch(path + (path.includes("?") ? "&" : "?") + language);
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error ?? answer.statusText);
  return said;
}

export async function post(path, body) {
  const answer = await fetch(`${path}?${language}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const said = await answer.json();
  return { ...said, says: said.says ?? said.error ?? "" };
}

let fading;

export function says(words) {
  $("#says").textContent = words;
  clearTimeout(fading);
  if (words) fading = setTimeout(() => says(""), 8000);
}

// True if the box accepted the command; otherwise its reason is shown.
export async function tell(words) {
  try {
    const answer = await post("/api/tell", { words });
    says(answer.ok ? "" : answer.says);
    return Boolean(answer.ok);
  } catch {
    says($("#t-lost").content.textContent);
    return false;
  }
}

export function submitted(form, then) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = $("button:not([type=button])", form);
    button.disabled = true;
    try {
      await then(new FormData(form));
    } finally {
      button.disabled = false;
    }
  });
}
