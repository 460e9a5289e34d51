import type { Check } from '../domain/request/check.ts'
import { visible } from '../domain/text/escape-control-characters.ts'
import { shortened } from '../domain/text/shortened.ts'

/** The texts of each rule, for a check that passed and for a check that did not. */
const texts: Record<string, readonly [passed: string, failed: string]> = {
  repository_active: ['The repository is active', 'The repository is not active'],
  head: ['The pull request is still at this head', 'The pull request now has another head'],
  late_push: [
    'Its branch already pointed to another commit when this push arrived, so this build is not shown as the branch’s last build',
    '',
  ],
  commit: ['There is a commit to build', 'There is no commit to build'],
  merge_commit: ['There is a merge commit to build', 'There is no merge commit to build'],
  owner: ['The owner is built on this installation', 'The owner is not built on this installation'],
  skip_command: [
    'The commit message does not ask to skip the build',
    'The commit message asks to skip the build',
  ],
  build_pushes: ['Pushes are built here', 'Pushes are not built here'],
  build_pull_requests: ['Pull requests are built here', 'Pull requests are not built here'],
  sender: ['The sender may start builds', 'The sender is blocked here'],
  build_file: ['There is a build file, or none is needed', 'There is no build file'],
  base_file: [
    'The build file of the base branch would build it',
    'The build file of the base branch leaves it out as well',
  ],
  fetched: ['The build file was fetched', 'The build file could not be fetched'],
  usable: ['The build file can be used', 'The build file cannot be used'],
  pages_branch: [
    'The build file lists this pages branch',
    'The build file does not list this pages branch',
  ],
  branches: [
    'The branch filter of the build file includes it',
    'The branch filter of the build file excludes it',
  ],
  condition: [
    'The condition of the build file holds',
    'The condition of the build file does not hold',
  ],
  jobs: ['The build file creates jobs', 'The build file creates no jobs'],
  approval: ['The approval is given, or not needed', 'A maintainer has to approve it first'],
  pause: ['No pause is needed before the next try', 'It pauses before the next try'],
  isolation: ['The job can be isolated, or needs no isolation', 'No runner can isolate the job'],
  queue: ['A runner takes the queue of the job', 'No runner takes the queue of the job'],
  machine: [
    'A runner has the machine that the job requests',
    'No runner has the machine that the job requests',
  ],
  stage: ['Its stage can run', 'An earlier stage has not ended'],
  repository_limit: [
    'The repository has room for another job',
    'The repository is at its limit of running jobs',
  ],
  owner_limit: ['The owner has room for another job', 'The owner is at the limit of running jobs'],
}

/** The text of a check. An unknown rule is shown by its name. */
export function checkText({ rule, passed }: Pick<Check, 'rule' | 'passed'>): string {
  const known = Object.hasOwn(texts, rule) ? texts[rule] : undefined
  if (known) return passed ? known[0] : known[1]
  return rule.replaceAll('_', ' ')
}

const longest = 200
const mostListed = 20

/** Texts for the reasons under which dropped jobs of a build file are counted. */
const jobValues: Record<string, string> = {
  excluded: 'left out by jobs.exclude',
  condition: 'left out by a condition',
  stage: 'left out with their stage',
  duplicate: 'the same as another',
  replaced: 'replaced by entries of jobs.include',
  left_out: 'left out',
  unreadable: 'a condition cannot be read',
  never: 'a condition can never hold',
}

/** The values that the rule checked, as `name: value`, without missing ones. */
export function checkValues({ rule, values }: Pick<Check, 'rule' | 'values'>): string[] {
  const names = rule === 'jobs' ? jobValues : {}
  return Object.entries(values)
    .filter(([, value]) => !isNothing(value))
    .map(([name, value]) => {
      const known = Object.hasOwn(names, name) ? names[name] : undefined
      if (known !== undefined && value === true) return known
      return `${known ?? name}: ${valueText(value)}`
    })
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) {
    const listed = value.slice(0, mostListed).map(valueText).join('; ')
    return value.length > mostListed ? `${listed}; …` : listed
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${visible(name)} was ${wasText(member)}`,
    )
    return shortened(members.join(', '), longest)
  }
  return shortened(visible(typeof value === 'string' ? value : JSON.stringify(value)), longest)
}

function wasText(value: unknown): string {
  return value === null || value === undefined ? 'blank' : visible(JSON.stringify(value))
}
