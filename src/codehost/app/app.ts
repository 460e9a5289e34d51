import type { Client } from './client.ts'
import type { Tokens } from './tokens.ts'

/** What the functions of the app's code host need. */
export interface App extends Client {
  tokens: Tokens
  /** Web address of the code host, which git also fetches from, such as `https://github.com`. */
  webUrl: string
}
