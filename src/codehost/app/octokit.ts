import { ProbotOctokit } from 'probot'

/** The version of the code host's API for which all calls are written. */
const apiVersion = '2022-11-28'

function pinVersion(octokit: Pick<ProbotOctokit, 'hook'>): void {
  octokit.hook.before('request', ({ headers }) => {
    headers['x-github-api-version'] = apiVersion
  })
}

type OctokitOptions = Record<string, unknown> & { throttle?: object }

/**
 * Probot's Octokit without throttling and retries: our queue does both. By default it would allow one
 * write a second. Probot overwrites defaults that are not a function.
 */
export const AppOctokit: typeof ProbotOctokit = ProbotOctokit.plugin(pinVersion).defaults(
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

/** The response data of a call, from the code host's own description of its API. */
export type ResponseData<Room extends keyof Rest, Name extends keyof Rest[Room]> = Awaited<
  ReturnType<Calls<Room>[Name]>
>['data']
