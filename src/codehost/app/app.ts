import type { Ask } from './client.ts'
import type { Tokens } from './tokens.ts'

/** What the code host of the installed app works with. */
export interface App extends Ask {
  tokens: Tokens
  /** Where people open it, and where git fetches: `https://github.com`, say. */
  webUrl: string
}
