"use strict";

// The board of a table in a page of others. It steps through the moves and follows a running game;
// it has no token and sends nothing but the wish for pictures and events.
const table = document.querySelector("main");
const picture = document.querySelector("img");
const shown = document.querySelector("output");
const versions = table.dataset.versions.split(",").map(Number);
let at = versions.indexOf(Number(table.dataset.version));

function show(place) {
  at = Math.max(0, Math.min(versions.length - 1, place));
  const next = new Image();
  const version = versions[at];
  next.onload = () => {
    if (version === versions[at]) picture.src = next.src;
  };
  next.src = `${table.dataset.board}&version=${version}`;
  shown.value = `${at} / ${versions.length - 1}`;
  for (const button of document.querySelectorAll("button")) {
    button.disabled = Number(button.value) < 0 ? at === 0 : at === versions.length - 1;
  }
}

for (const button of document.querySelectorAll("button")) {
  // The outer buttons step further than any game is long.
  button.addEventListener("click", () => show(at + Number(button.value)));
}

if (table.dataset.events) {
  const stream = new EventSource(`${table.dataset.events}?after=${versions.at(-1)}`);
  const steps = table.dataset.steps.split(" ");
  stream.onmessage = (message) => {
    if (!steps.includes(JSON.parse(message.data).type)) return;
    const isLatest = at === versions.length - 1;
    versions.push(Number(message.lastEventId));
    show(isLatest ? versions.length - 1 : at);
  };
  stream.addEventListener("reset", () => stream.close());
}

show(at);
