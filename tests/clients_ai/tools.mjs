// What the scripts of this folder share.

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `holds()` is true and stays so for a moment. Throws after `ms`. */
export async function settled(holds, ms = 10_000) {
  const end = Date.now() + ms;
  let since = null;
  while (Date.now() < end) {
    since = holds() ? (since ?? Date.now()) : null;
    if (since !== null && Date.now() - since >= 30) return;
    await sleep(5);
  }
  throw new Error("waited too long");
}

/** The approval that waits for this call; a stream shows a call a moment before it is stored. */
export async function approvalOf(call, list) {
  for (let tries = 0; tries < 500; tries += 1) {
    const found = (await list()).approvals.find((one) => one.tool_call === call);
    if (found) return found;
    await sleep(20);
  }
  throw new Error("no approval came");
}

export async function readAll(stream) {
  const values = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return values;
    values.push(value);
  }
}

export async function stdin() {
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return text;
}

export const textOf = (message) =>
  (message.parts ?? message.content)
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("");

/**
 * Plays every scenario of `{url, people, scenarios: {key: [name, ...args]}}` from stdin, a few at a
 * time, each in a world of its own, and prints `{key: what it saw}`.
 */
export async function runAll(scenariosFor, { atOnce = 4 } = {}) {
  const given = JSON.parse(await stdin());
  const results = {};
  const left = Object.entries(given.scenarios);
  const work = async () => {
    for (let next; (next = left.shift()); ) {
      const [key, [name, ...args]] = next;
      try {
        results[key] = await scenariosFor(given)[name](...args);
      } catch (error) {
        results[key] = { failed: String(error.stack) };
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  process.stdout.write(JSON.stringify(results), () => process.exit(0));
}
