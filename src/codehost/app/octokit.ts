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
