import { type Check, check } from './check.ts'
import type { Rule } from './decision.ts'
import { adviceOn, type OtherBuildFile } from './other-build-files.ts'
import { isApiSource, sourceName } from './request.ts'

const pagesBranch = /gh[-_]pages/i

export interface LateFacts {
  /** Name that branch filters are matched against, and what it names (CF-22). */
  branch: string
  names: FilteredName
  only_with_build_file: boolean
  /**
   * `before`: an earlier commit of the repository had a build file. `lost`: the commit before this push,
   * or the base of this pull request, had one. `other`: a file that may be taken for it.
   */
  build_file: {
    path: string
    found: boolean
    /** Whether a request by API brought a configuration, so that no file is needed. */
    brought: boolean
    before: boolean
    lost: boolean
    other: OtherBuildFile | null
  }
  /** Whether `branches` includes that name, and the place of the part that decided. */
  filter: {
    included: boolean
    by: 'only' | 'except' | null
    entry?: string
    only: readonly string[]
    place: Check['source']
  }
  /** Whether `branches.only` has an entry for pages branches (RQ-10). */
  pages_listed: boolean
  /** The `if` of the root, with the values it used; null if there is none. */
  condition: {
    condition: string
    holds: boolean
    saw: Record<string, unknown>
    /** `saw` in words; empty if there are no values. */
    seen: string
    error: string | null
    /** Why the condition never holds for any build, as after a typo; null if it may hold. */
    never: string | null
    /** The terms that are the same for every build, if they alone may make the condition false. */
    suspect: string | null
    place: Check['source']
  } | null
  jobs: number
  /** The number of jobs left out, by reason. */
  dropped: Record<string, number>
  /** Whether the condition of a left-out job could not be read. */
  unreadable: boolean
  /** Whether the condition of a left-out job never holds for any build. */
  never: boolean
  /** The first left-out jobs with the reasons, in words, and how many others there are. */
  left_out: string[]
  /** The line that left out the first of these jobs; null if no line did. */
  left_out_line: number | null
}

/** The name that branch filters apply to: for a pull request its base branch. */
export type FilteredName = 'branch' | 'tag' | 'base branch'

/** Rules that need the build file. */
export const lateRules: readonly Rule<LateFacts>[] = [
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
    reason: 'no_build_file',
    evaluate({ build_file: { path, found, brought, lost }, only_with_build_file }) {
      if (brought) return null
      return check('build_file', found || !only_with_build_file, {
        path,
        found,
        ...(lost ? { lost } : {}),
        builds_only_with_service_yml: only_with_build_file,
      })
    },
    message({ build_file: { path, before, other } }) {
      if (before) {
        return (
          `no build configuration file: this commit has no ${path}, although an earlier commit had it; ` +
          'merge or copy it from there'
        )
      }
      const missing = `add ${path}, or turn off builds_only_with_service_yml in the settings`
      return `no build configuration file: ${other ? adviceOn(other, path) : missing}`
    },
  },
  {
    reason: 'branch_excluded',
    evaluate({ branch, names, filter: { included, by, entry, only, place } }) {
      const entries = only.length > 0 ? { only: only.slice(0, mostStored) } : {}
      const values = { [names.replace(' ', '_')]: branch, by, entry: entry ?? null, ...entries }
      return check('branches', included, values, place)
    },
    message({ branch, names, filter: { by, entry, only, place }, build_file }) {
      const at = atPlace(place, build_file)
      if (by === 'except') {
        return `${names} excluded: ${branch} matches ${entry ?? 'an entry'} of branches.except${at}`
      }
      const entries = shortList(only)
      return `${names} not included: ${branch} matches no entry of branches.only${at}: ${entries}`
    },
  },
  {
    reason: 'condition',
    evaluate({ condition }) {
      if (condition === null) return null
      const { holds, place, seen: _seen, never, suspect, ...values } = condition
      const doubts = { ...(never !== null && { never }), ...(suspect !== null && { suspect }) }
      return check('condition', holds, { ...values, ...doubts }, place)
    },
    message({ condition: found, build_file }) {
      if (found === null) return ''
      const { condition, seen, error, never, suspect, place } = found
      const text = `${condition}${atPlace(place, build_file)}`
      if (error !== null) {
        return `condition cannot be evaluated and counts as false: ${text}: ${error}`
      }
      if (never !== null) return `condition can never hold: ${text}: ${never}`
      if (suspect !== null) return `condition did not match: ${text}: ${suspect}`
      return `condition did not match: ${text}${seen === '' ? '' : `: ${seen}`}`
    },
  },
  {
    reason: 'no_jobs',
    evaluate({ jobs, dropped, unreadable, never, left_out, left_out_line: line, build_file }) {
      const which = {
        ...(unreadable ? { unreadable } : {}),
        ...(never ? { never } : {}),
        ...(left_out.length > 0 ? { left_out } : {}),
      }
      // If jobs remain, no single line decided.
      const source = jobs > 0 || line === null ? null : { file: build_file.path, line }
      return check('jobs', jobs > 0, { jobs, ...dropped, ...which }, source)
    },
    message: ({ left_out }) =>
      ['configuration created no jobs', left_out.join('; ')].filter(Boolean).join(': '),
  },
]

/** A place in words: a line of the build file or of an imported file, or a configuration by API. */
function atPlace(place: Check['source'], { path }: LateFacts['build_file']): string {
  if (place === null) return ''
  const { file, line } = place
  if (file === path) return ` (line ${line})`
  return ` (in ${sourceName(file)}${isApiSource(file) ? '' : `, line ${line}`})`
}

const mostListed = 10
const mostStored = 50

function shortList(entries: readonly string[]): string {
  const more = entries.length - mostListed
  const listed = entries.slice(0, mostListed).join(', ')
  return more > 0 ? `${listed} and ${more} more` : listed
}

export function mentionsPages(only: readonly string[]): boolean {
  return only.some((entry) => pagesBranch.test(entry))
}
