import type { ProbotOctokit } from 'probot'
import type { Ask } from './ask.ts'
import type { Tokens } from './tokens.ts'

/** What the code host of the installed app works with. */
export interface App extends Ask {
  tokens: Tokens
  /** Where people open it, and where git fetches: `https://github.com`, say. */
  webUrl: string
}

export type Octokit = InstanceType<typeof ProbotOctokit>

type Rest = Octokit['rest']
type Call = (...args: never[]) => Promise<{ data: unknown }>
type Calls<Room extends keyof Rest> = {
  [Name in keyof Rest[Room]]: Rest[Room][Name] extends Call ? Rest[Room][Name] : never
}

/** What the code host answers to a call, as its own description of the interface has it. */
export type Answer<Room extends keyof Rest, Name extends keyof Rest[Room]> = Awaited<
  ReturnType<Calls<Room>[Name]>
>['data']
