/** Reports: a list; each opens with its context, the player whom it is about, and a form for the answer. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { ago, has, t } from "../platform/i18n.js";
import { desk } from "./calls.js";
import { standingCard } from "./decisions.js";
import { pagedList } from "./pieces.js";
import { studyCard } from "./studies.js";

/**
 * @typedef {import("./calls.js").Report} Report
 * @typedef {import("./calls.js").ReportDetails} ReportDetails
 */

const LONGEST = 1000;

export function reportsPart() {
  const place = h("div");
  /** @type {HTMLSelectElement} */
  const status = h(
    "select",
    { id: "report-status", onchange: () => list() },
    ["open", "closed", "all"].map((one) => h("option", { value: one }, t(`ui.admin.states.${one}`))),
  );
  const list = () =>
    show(
      place,
      pagedList(t("ui.admin.empty"), async (cursor) => {
        const { reports, next_cursor: next } = await desk.reports(status.value, cursor);
        return { rows: reports.map(reportRow), next };
      }),
    );
  list();
  return h(
    "section",
    { class: "setting" },
    h("h2", {}, t("ui.admin.parts.reports")),
    h("div", { class: "row" }, h("label", { for: status.id }, t("ui.admin.which")), status),
    place,
  );
}

/** @param {string} reason a word of the client, or of another one */
function sayReason(reason) {
  const key = `ui.chat.reasons.${reason}`;
  return has(key) ? t(key) : reason;
}

/** The words of a message, also where they are a phrase. @param {string} message */
function sayMessage(message) {
  const key = `terms.phrases.${message}`;
  return has(key) ? t(key) : message;
}

/** @param {Report} report */
function reportRow(report) {
  const { id, at, by, about, message, study, reason, closed_at: closed } = report;
  const place = h("div");
  const load = async () => show(place, details(await desk.report(id), load, form));
  const form = answerForm(report, load); // made once: what is typed stays when the report is read again
  const facts = [t("ui.admin.by", { name: by.name }), ago(at), closed ? t("ui.admin.states.closed") : ""];
  /** @type {HTMLDetailsElement} */
  const row = h(
    "details",
    { "data-report": id, ontoggle: () => row.open && load().catch(explain) },
    h(
      "summary",
      {},
      h(
        "span",
        { class: "what" },
        h("b", {}, sayReason(reason), about ? [" · ", h("bdi", {}, about.name)] : null),
        message ? h("span", { dir: "auto" }, sayMessage(message)) : null,
        study ? h("span", { dir: "auto" }, study.title) : null,
        h("span", { class: "soft" }, facts.filter(Boolean).join(" · ")),
      ),
    ),
    place,
  );
  return h("li", {}, row);
}

/** @param {ReportDetails} report @param {() => Promise<void>} again @param {HTMLElement} form */
function details(report, again, form) {
  const { id, game, study, text, context, standing, answer, note: noted } = report;
  return [
    text ? h("p", { dir: "auto" }, text) : null,
    context.length
      ? h(
          "ol",
          { class: "context" },
          context.map((line) => contextLine(line, report)),
        )
      : null,
    game ? h("p", {}, h("a", { class: "button", href: `/games/${game}` }, t("ui.admin.table"))) : null,
    study ? studyCard(study, id) : null,
    standing ? standingCard(standing, id, again) : null,
    answer ? h("p", { dir: "auto" }, t("ui.admin.answered", { text: answer })) : null,
    noted ? h("p", { class: "soft", dir: "auto" }, noted) : null,
    form,
  ];
}

/** @param {ReportDetails["context"][number]} line @param {Report} report */
function contextLine({ player, message }, { kind, message: reported, about }) {
  const isIt = kind === "message" && message === reported && player?.id === about?.id;
  const name = player?.name ?? t("ui.chat.nobody");
  const text = message === null ? t("ui.chat.deleted") : sayMessage(message);
  return h(
    "li",
    { class: isIt ? "reported" : null },
    h("b", { dir: "auto" }, name),
    " ",
    h("span", { dir: "auto" }, text),
  );
}

/** @param {Report} report @param {() => Promise<void>} again */
function answerForm({ id, kind, by }, again) {
  const props = { rows: 2, maxlength: LONGEST };
  /** @type {HTMLTextAreaElement} */
  const answer = h("textarea", { id: `answer-${id}`, ...props });
  /** @type {HTMLTextAreaElement} */
  const noted = h("textarea", { id: `note-${id}`, ...props });
  /** @type {HTMLInputElement} */
  const remove = h("input", { type: "checkbox", id: `delete-${id}` });
  const send = async () => {
    const said = { answer: answer.value.trim(), note: noted.value.trim(), delete_message: remove.checked };
    await desk.answer(id, said);
    answer.value = noted.value = "";
    remove.checked = false;
    note(t("ui.admin.done"));
    await again();
  };
  return h(
    "div",
    { class: "answer" },
    h("label", { for: answer.id }, t("ui.admin.answer", { name: by.name })),
    answer,
    h("label", { for: noted.id }, t("ui.admin.note")),
    noted,
    kind === "message" ? h("label", { class: "check", for: remove.id }, remove, t("ui.admin.delete_message")) : null,
    button(t("ui.admin.close_report"), `answer-${id}`, send, "confirm"),
  );
}
