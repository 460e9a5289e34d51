import { check } from './check.ts'
import type { Rule } from './decision.ts'

const pagesBranch = /gh[-_]pages/i

export interface LateFacts {
  /** Name that filters are asked about: for a pull request the base branch (CF-22). */
  branch: string
  only_with_build_file: boolean
  build_file: { path: string; found: boolean }
  /** What `branches` of the build file says of that name. */
  filter: { included: boolean; by: 'only' | 'except' | null; entry?: string; line?: number }
  /** Whether `branches.only` has an entry for pages branches (RQ-10). */
  pages_listed: boolean
  /** The `if` of the root, with what it saw; null where there is none. */
  condition: {
    condition: string
    holds: boolean
    saw: Record<string, unknown>
    error: string | null
    line: number | null
  } | null
  jobs: number
  /** How many jobs were left out, by why. */
  dropped: Record<string, number>
}

/** What the build file decides, once it is read. */
export const lateRules: readonly Rule<LateFacts>[] = [
  {
    reason: 'no_build_file',
    look: ({ build_file, only_with_build_file }) =>
      check('build_file', build_file.found || !only_with_build_file, {
        path: build_file.path,
        found: build_file.found,
        builds_only_with_service_yml: only_with_build_file,
      }),
    says: ({ build_file }) =>
      `no build configuration file: add ${build_file.path}, ` +
      'or turn off builds_only_with_service_yml in the settings of the repository',
  },
  {
    reason: 'pages_branch',
    look: ({ branch, pages_listed }) =>
      pagesBranch.test(branch)
        ? check('pages_branch', pages_listed, { branch, listed_in_only: pages_listed })
        : null,
    says: ({ branch }) =>
      `pages branch is not built by default: list ${branch} in branches.only to build it`,
  },
  {
    reason: 'branch_excluded',
    look: ({ branch, filter, build_file }) =>
      check(
        'branches',
        filter.included,
        { branch, by: filter.by, entry: filter.entry ?? null },
        filter.line === undefined ? null : { file: build_file.path, line: filter.line },
      ),
    says: ({ branch, filter }) =>
      filter.by === 'except'
        ? `branch excluded: ${branch} matches ${filter.entry ?? 'an entry'} of branches.except`
        : `branch not included: ${branch} matches no entry of branches.only`,
  },
  {
    reason: 'condition',
    look({ condition, build_file }) {
      if (condition === null) return null
      const { holds, line, ...values } = condition
      return check(
        'condition',
        holds,
        values,
        line === null ? null : { file: build_file.path, line },
      )
    },
    says: ({ condition }) =>
      condition?.error
        ? `condition cannot be decided, which counts as false: ${condition.condition}`
        : `condition did not match: ${condition?.condition ?? ''}`,
  },
  {
    reason: 'no_jobs',
    look: ({ jobs, dropped }) => check('jobs', jobs > 0, { jobs, ...dropped }),
    says: ({ dropped }) => `configuration created no jobs${leftOut(dropped)}`,
  },
]

const whyLeftOut: Readonly<Record<string, string>> = {
  condition: 'by their condition',
  stage: 'with their stage',
  excluded: 'by jobs.exclude',
}

function leftOut(dropped: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(dropped).flatMap(([why, count]) => {
    const words = whyLeftOut[why]
    return words === undefined ? [] : [`${count} ${words}`]
  })
  return reasons.length === 0 ? '' : `: left out were ${reasons.join(', ')}`
}

export function mentionsPages(only: readonly string[]): boolean {
  return only.some((entry) => pagesBranch.test(entry))
}
