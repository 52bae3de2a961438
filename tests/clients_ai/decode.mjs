// Reads streams of ours with the real decoders: [{ui, data, transport}] on stdin, what they made on stdout.
import { readUIMessageStream, uiMessageChunkSchema } from "ai";
import { asSchema } from "@ai-sdk/provider-utils";
import {
  AssistantMessageAccumulator,
  AssistantTransportDecoder,
  DataStreamDecoder,
  UIMessageStreamDecoder,
} from "assistant-stream";
import { readAll, stdin } from "./tools.mjs";

const body = (text) => new Response(text).body;
const accumulated = async (text, decoder) =>
  (await readAll(body(text).pipeThrough(decoder).pipeThrough(new AssistantMessageAccumulator()))).at(-1);

const schema = asSchema(uiMessageChunkSchema);
const uiMessage = async (text) => {
  const chunks = text
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: {"))
    .map((frame) => JSON.parse(frame.slice(6)));
  for (const chunk of chunks) {
    const { success, error } = await schema.validate(chunk);
    if (!success) throw new Error(`not a chunk: ${JSON.stringify(chunk)}: ${error}`);
  }
  let problem = null;
  const stream = new ReadableStream({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(chunk));
      controller.close();
    },
  });
  let last = null;
  for await (const message of readUIMessageStream({ stream, onError: (error) => (problem = error) }))
    last = structuredClone(message);
  return { message: last, problem: problem && String(problem.message) };
};

const results = [];
for (const { ui, data, transport } of JSON.parse(await stdin()))
  results.push({
    ui: await uiMessage(ui),
    data: await accumulated(data, new DataStreamDecoder({ strict: true })),
    transport: await accumulated(transport, new AssistantTransportDecoder({ strict: true })),
    uiAsData: await accumulated(ui, new UIMessageStreamDecoder()),
  });
process.stdout.write(JSON.stringify(results));
