import type { Client } from './client.ts'
import type { Tokens } from './tokens.ts'

/** Dependencies of the app code host's functions. */
export interface App extends Client {
  tokens: Tokens
  /** Web address of the code host, such as `https://github.com`; git fetches from it too. */
  webUrl: string
}
