/**
 * `<agentui-human-card>`: a question of the agent to the person. Choices become buttons, a schema
 * becomes a form, anything else a text field.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import type { Client } from "../client/client.js";
import type { ToolCallView } from "../client/message-view.js";
import { visible, type Json } from "../core/index.js";
import { define } from "./define.js";
import { questionOf, readAnswer, type Field, type Question } from "./question.js";
import { icons } from "./icons.js";
import { base } from "./styles/base.js";
import { humanStyles } from "./styles/human.js";
import { t } from "./texts.js";
import { readArgs, toolTitle } from "./values.js";

export class AgentUIHumanCard extends LitElement {
  static override styles = [base, humanStyles];
  static override properties = {
    call: { attribute: false },
    client: { attribute: false },
    _busy: { state: true },
    _error: { state: true },
  };
  declare call: ToolCallView;
  declare client: Client | null;
  declare _busy: boolean;
  declare _error: string;

  constructor() {
    super();
    this.client = null;
    this._busy = false;
    this._error = "";
  }

  protected override render(): TemplateResult {
    const question = questionOf(readArgs(this.call.args_text));
    const ready = this.call.status !== "streaming";
    return html`<section part="question" class="card" aria-labelledby="title">
      <header>
        <span class="badge">${icons.question(18)}</span>
        <h3 id="title" dir="auto">${visible(question.text) || toolTitle(this.call.tool_name)}</h3>
      </header>
      ${ready ? this.#form(question) : nothing}
      ${this._error ? html`<p class="error" role="alert">${this._error}</p>` : nothing}
    </section>`;
  }

  #form(question: Question): TemplateResult {
    if (question.choices.length > 0 && !question.multiple) {
      return html`<div class="choices" role="group" aria-labelledby="title">
        ${question.choices.map(
          (choice) => html`<button class="button" ?disabled=${this._busy} @click=${() => this.#answer(choice.value)}>
            ${visible(choice.label)}
          </button>`,
        )}
      </div>`;
    }
    return html`<form @submit=${(event: SubmitEvent) => this.#submit(event, question)}>
      ${question.fields.map((field) => fieldView(field))}
      ${question.choices.map(
        (choice, index) => html`<label class="check">
          <input type="checkbox" name="choice" value=${index} />${visible(choice.label)}
        </label>`,
      )}
      <button class="button primary" ?disabled=${this._busy}>${t("submit")}</button>
    </form>`;
  }

  #submit(event: SubmitEvent, question: Question): void {
    event.preventDefault();
    const answer = readAnswer(question, new FormData(event.target as HTMLFormElement));
    if (answer !== null) void this.#answer(answer);
  }

  async #answer(result: Json): Promise<void> {
    if (!this.client || this._busy) return;
    this._busy = true;
    this._error = "";
    try {
      await this.client.runner.respond(this.call, result);
    } catch (error) {
      this._error = (error as Error).message;
      this._busy = false;
    }
  }
}

function fieldView(field: Field): TemplateResult {
  const id = `field-${field.name}`;
  if (field.type === "boolean") {
    return html`<label class="check"><input type="checkbox" name=${field.name} />${visible(field.label)}</label>`;
  }
  const control = field.choices.length
    ? html`<select id=${id} class="field" name=${field.name} ?required=${field.required}>
        <option value=""></option>
        ${field.choices.map((choice) => html`<option value=${choice.label}>${visible(choice.label)}</option>`)}
      </select>`
    : field.type === "text"
      ? html`<textarea id=${id} class="field" name=${field.name} rows="1" ?required=${field.required}></textarea>`
      : html`<input id=${id} class="field" type=${field.type} step="any" name=${field.name} ?required=${field.required} />`;
  return html`<div class="row"><label for=${id}>${visible(field.label)}</label>${control}</div>`;
}

define("agentui-human-card", AgentUIHumanCard);
