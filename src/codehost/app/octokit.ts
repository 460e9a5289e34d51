import { ProbotOctokit } from 'probot'

type Options = Record<string, unknown> & { throttle?: object }

/**
 * Probot's Octokit, which neither paces nor repeats what it is asked: our queue does. Of its own it
 * would let one write a second through. Probot overwrites defaults that are not a function.
 */
export const AppOctokit: typeof ProbotOctokit = ProbotOctokit.defaults((options: Options) => ({
  ...options,
  throttle: { ...options.throttle, enabled: false },
  retry: { enabled: false },
}))

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
