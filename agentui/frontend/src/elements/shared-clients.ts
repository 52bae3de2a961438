/** Elements of one page that name the same addresses share one client, and so one socket. */
import { Client } from "../client/client.js";

interface Shared {
  client: Client;
  users: number;
}

const clients = new Map<string, Shared>();

export interface Addresses {
  ws: string;
  api: string;
  csrf: string | null;
}

/** A client that is connecting or open. Give it back with `releaseClient`. */
export function takeClient({ ws, api, csrf }: Addresses): Client {
  const key = `${ws} ${api}`;
  let shared = clients.get(key);
  if (shared === undefined) {
    shared = { client: new Client({ ws, api, csrf }), users: 0 };
    clients.set(key, shared);
    shared.client.connect();
  }
  shared.users++;
  return shared.client;
}

export function releaseClient(client: Client): void {
  for (const [key, shared] of clients) {
    if (shared.client !== client || --shared.users > 0) continue;
    clients.delete(key);
    client.close();
  }
}
