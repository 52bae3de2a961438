import { beforeEach, expect, it } from "vitest";
import { fieldsOf } from "../src/page-tools/form-fields.js";
import { fillForm } from "../src/page-tools/form-fill.js";
import { formSchema } from "../src/page-tools/form-schema.js";
import { readRegion } from "../src/page-tools/read.js";

let form: HTMLFormElement;

beforeEach(() => {
  document.body.innerHTML = `
    <form id="f">
      <label>City <input name="city" required maxlength="40"></label>
      <select name="size"><option value="">--</option><option value="s">Small</option></select>
      <label><input type="checkbox" name="days" value="mon"> Monday</label>
      <label><input type="checkbox" name="days" value="tue"> Tuesday</label>
      <input type="number" name="share" step="any">
      <input type="password" name="secret" value="x"><input type="file" name="file"><input type="hidden" name="h">
      <input name="cc" autocomplete="billing cc-number"><input name="off" data-agentui="off"><input name="dis" disabled>
      <button name="b">Send</button>
    </form>
    <input name="stray" form="f" value="also of the form">
    <section id="r"><h2>Title</h2><p>Text <b>bold</b></p><script>1</script><p hidden>no</p><textarea>typed</textarea></section>`;
  form = document.querySelector("form") as HTMLFormElement;
});

it("only what a person sees and may know is among the fields", () => {
  expect(fieldsOf(form).map((field) => field.name)).toEqual(["city", "size", "days", "share", "stray"]);
});

it("the schema says types, options and what is still required", () => {
  const schema = formSchema(form, { isPartial: false });
  expect(schema).toMatchObject({
    properties: {
      city: { type: "string", maxLength: 40, description: "City" },
      size: { type: "string", enum: ["s"], description: "size. s: Small" },
      days: { type: "array", items: { enum: ["mon", "tue"] } },
      share: { type: "number" },
    },
    required: ["city"],
    additionalProperties: false,
  });
  expect(formSchema(form, { isPartial: true })["required"]).toEqual([]);
});

it("writes all values or none", () => {
  expect(() => fillForm(form, { city: "Graz", size: "xl" })).toThrow('"size" takes one of: s.');
  expect(() => fillForm(form, { city: "Graz", secret: "y" })).toThrow('no field "secret"');
  expect((form.elements.namedItem("city") as HTMLInputElement).value).toBe("");
  const heard: string[] = [];
  form.addEventListener("change", (event) => heard.push((event.target as HTMLInputElement).name));
  const { values } = fillForm(form, { city: "Graz", days: ["tue"], size: "s" });
  expect(values).toMatchObject({ city: "Graz", days: ["tue"], size: "s" });
  expect(heard).toEqual(["city", "days", "days", "size"]);
});

it("reads what a person reads", () => {
  expect(readRegion([document.querySelector("#r") as Element])).toBe("Title\nText bold");
});
