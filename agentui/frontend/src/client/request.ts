/** What every request to the REST API has in common: addresses, the CSRF token, refusals as errors. */
import { parseJson } from "../core/index.js";
import { AgentUIError } from "./errors.js";

export function address(base: string, path: string): string {
  return new URL(path, new URL(base, document.baseURI)).href;
}

export function csrfToken(given: string | null): string {
  return given ?? cookie("csrftoken") ?? "";
}

/** The answer's JSON, or an `AgentUIError` thrown. */
export function readAnswer(status: number, text: string): unknown {
  if (status >= 200 && status < 300) return text === "" ? null : parseJson(text);
  throw refusal(status, text);
}

export function unreachable(): AgentUIError {
  return new AgentUIError("network", "The server cannot be reached.");
}

/** Sends a file; `fetch` does not tell how far an upload has come. */
export function sendFile(
  url: string,
  { file, csrf, signal, onProgress }: { file: File; csrf: string; signal: AbortSignal; onProgress: (share: number) => void },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("file", file);
    request.open("POST", url);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", csrf);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(new AgentUIError("cancelled", "The upload was cancelled."));
    request.onload = () => {
      try {
        resolve(readAnswer(request.status, request.responseText));
      } catch (error) {
        reject(error as Error);
      }
    };
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}

function refusal(status: number, text: string): AgentUIError {
  try {
    const body = JSON.parse(text) as { code?: string; message?: string; detail?: string };
    const message = body.message ?? body.detail;
    if (message) return new AgentUIError(body.code ?? `http_${status}`, message);
  } catch {
    // Not JSON: an error page of a proxy, say. Its text is not for the reader.
  }
  return new AgentUIError(`http_${status}`, `The server refused (${status}).`);
}

function cookie(name: string): string | null {
  const match = new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie);
  return match?.[1] ?? null;
}
