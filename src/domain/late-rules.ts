import { check } from './check.ts'
import type { Rule } from './decision.ts'

const pagesBranch = /gh[-_]pages/i

export interface LateFacts {
  /** Name that branch filters are matched against: for a pull request the base branch (CF-22). */
  branch: string
  only_with_build_file: boolean
  build_file: { path: string; found: boolean }
  /** Whether `branches` of the build file includes that name. */
  filter: { included: boolean; by: 'only' | 'except' | null; entry?: string; line?: number }
  /** Whether `branches.only` has an entry for pages branches (RQ-10). */
  pages_listed: boolean
  /** The `if` of the root, with the values it used; null where there is none. */
  condition: {
    condition: string
    holds: boolean
    saw: Record<string, unknown>
    error: string | null
    line: number | null
  } | null
  jobs: number
  /** How many jobs were left out, by reason. */
  dropped: Record<string, number>
}

/** Rules that need the build file. */
export const lateRules: readonly Rule<LateFacts>[] = [
  {
    reason: 'no_build_file',
    evaluate: ({ build_file, only_with_build_file }) =>
      check('build_file', build_file.found || !only_with_build_file, {
        path: build_file.path,
        found: build_file.found,
        builds_only_with_service_yml: only_with_build_file,
      }),
    message: ({ build_file }) =>
      `no build configuration file: add ${build_file.path}, ` +
      'or turn off builds_only_with_service_yml in the settings of the repository',
  },
  {
    reason: 'pages_branch',
    evaluate: ({ branch, pages_listed }) =>
      pagesBranch.test(branch)
        ? check('pages_branch', pages_listed, { branch, listed_in_only: pages_listed })
        : null,
    message: ({ branch }) =>
      `pages branch is not built by default: list ${branch} in branches.only to build it`,
  },
  {
    reason: 'branch_excluded',
    evaluate: ({ branch, filter, build_file }) =>
      check(
        'branches',
        filter.included,
        { branch, by: filter.by, entry: filter.entry ?? null },
        filter.line === undefined ? null : { file: build_file.path, line: filter.line },
      ),
    message: ({ branch, filter }) =>
      filter.by === 'except'
        ? `branch excluded: ${branch} matches ${filter.entry ?? 'an entry'} of branches.except`
        : `branch not included: ${branch} matches no entry of branches.only`,
  },
  {
    reason: 'condition',
    evaluate({ condition, build_file }) {
      if (condition === null) return null
      const { holds, line, ...values } = condition
      return check(
        'condition',
        holds,
        values,
        line === null ? null : { file: build_file.path, line },
      )
    },
    message: ({ condition }) =>
      condition?.error
        ? `condition cannot be decided, which counts as false: ${condition.condition}`
        : `condition did not match: ${condition?.condition ?? ''}`,
  },
  {
    reason: 'no_jobs',
    evaluate: ({ jobs, dropped }) => check('jobs', jobs > 0, { jobs, ...dropped }),
    message: ({ dropped }) => `configuration created no jobs${droppedText(dropped)}`,
  },
]

const dropReasons: Readonly<Record<string, string>> = {
  condition: 'by their condition',
  stage: 'with their stage',
  excluded: 'by jobs.exclude',
}

function droppedText(dropped: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(dropped).flatMap(([reason, count]) => {
    const words = dropReasons[reason]
    return words === undefined ? [] : [`${count} left out ${words}`]
  })
  return reasons.length === 0 ? '' : `: ${reasons.join(', ')}`
}

export function mentionsPages(only: readonly string[]): boolean {
  return only.some((entry) => pagesBranch.test(entry))
}
