import { ProbotOctokit } from 'probot'

type OctokitOptions = Record<string, unknown> & { throttle?: object }

/**
 * Probot's Octokit without throttling and retries: our queue does both. By default it would allow one
 * write a second. Probot overwrites defaults that are not a function.
 */
export const AppOctokit: typeof ProbotOctokit = ProbotOctokit.defaults(
  (options: OctokitOptions) => ({
    ...options,
    throttle: { ...options.throttle, enabled: false },
    retry: { enabled: false },
  }),
)

export type Octokit = InstanceType<typeof ProbotOctokit>

type Rest = Octokit['rest']
type Call = (...args: never[]) => Promise<{ data: unknown }>
type Calls<Room extends keyof Rest> = {
  [Name in keyof Rest[Room]]: Rest[Room][Name] extends Call ? Rest[Room][Name] : never
}

/** The response data of a call, by the code host's own description of its interface. */
export type ResponseData<Room extends keyof Rest, Name extends keyof Rest[Room]> = Awaited<
  ReturnType<Calls<Room>[Name]>
>['data']
