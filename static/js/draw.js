// A draw of cards on the big screen: turns over the cards that lay face down before an update, all at once, and says
// what they decided. The server sends the cards of a round together. Cards that are face up when the page is loaded, and
// those of earlier rounds, do not move.

let faceDown = new Set();
let outcomes = new Map();

const listDraws = () => [...document.querySelectorAll("[data-draw]")];
const getKey = (round) => `${round.closest("[data-draw]").id} ${round.dataset.round}`;

function remember() {
  const rounds = [...document.querySelectorAll("[data-round]:not([data-up])")];
  faceDown = new Set(rounds.map(getKey));
  outcomes = new Map(listDraws().map((draw) => [draw.id, draw.dataset.outcome]));
}

function turnOver() {
  document.querySelectorAll("[data-round][data-up]").forEach((round) => {
    if (faceDown.has(getKey(round))) round.classList.add("is-turning");
  });
  const said = listDraws().map(({ id, dataset }) => outcomes.get(id) === dataset.outcome ? "" : dataset.outcome);
  const news = said.filter(Boolean).join(" ");
  if (news) document.dispatchEvent(new CustomEvent("say", { detail: news }));
  remember();
}

document.addEventListener("htmx:sseMessage", turnOver);
document.addEventListener("htmx:afterSettle", turnOver);
remember();
