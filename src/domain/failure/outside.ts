import { visible } from '../text/escape-control-characters.ts'
import { shortened } from '../text/shortened.ts'
import { roughSpan } from '../time/rough-span.ts'

/** The inputs of a run other than its commit: everything that can make two runs of one commit end differently. */
export interface RunInputs {
  /** Hash of the job's part of the build file. */
  definition: string
  /** The versions that programs printed, by the command that requested them. */
  versions: Record<string, string>
  /** The name of the image, and the id that it stood for; null for runs without an image. */
  image: string | null
  image_id: string | null
  /** Null for a run that an earlier command has kept: each has a runner of its own. */
  runner: string | null
  /** The kind of the build: a push and a cron build of one commit have other variables. */
  event: string
  /** Salted hashes of the variables of the settings, by their names. */
  variables: Record<string, string>
  /** Hashes of the imported files that are not part of the commit, by their sources. */
  imports: Record<string, string>
}

/** The kinds of input that can make two runs of one commit end differently. */
export const outsideKinds = [
  'variable',
  'version',
  'image',
  'import',
  'runner',
  'event',
  'definition',
] as const

/** One input that differed between two runs. Of variables and files only the names are known. */
export interface OutsideChange {
  kind: (typeof outsideKinds)[number]
  /** The variable, the command that requested the version, or the source of the file; null for others. */
  name: string | null
  /** Null if the first run did not have it, or its value is not shown. */
  before: string | null
  after: string | null
  /** Whether only one of the runs had it. */
  is: 'added' | 'removed' | 'changed'
}

/** A run, as others name it. */
export interface NamedRun {
  job_id: number
  /** `7.1` */
  number: string
  attempt: number
}

export const namedRun = ({ job_id, number, attempt }: NamedRun): NamedRun => ({
  job_id,
  number,
  attempt,
})

/**
 * The changes outside the commit between two runs of a job with different results: between the last run that
 * passed and the first run that failed in this way, or between a failed attempt and the next attempt, which
 * passed.
 */
export interface Outside {
  from: NamedRun
  to: NamedRun
  /** The outcome of the second run; the first run had the other outcome. */
  result: 'passed' | 'failed'
  /** Between the ends of the two. */
  seconds: number
  /** Whether both runs tested the same commit. */
  same_commit: boolean
  changes: OutsideChange[]
}

/**
 * The inputs that two runs did not share. A version or an image that only one of them reached does not count as a change, and
 * neither does the job's part of the build file if the commits differ.
 */
export function changesBetween(
  before: RunInputs,
  after: RunInputs,
  sameCommit: boolean,
): OutsideChange[] {
  const changes: OutsideChange[] = [
    ...hashesChanged('variable', before.variables, after.variables),
    ...Object.entries(before.versions).flatMap(([name, version]) =>
      replaced('version', name, version, after.versions[name] ?? version),
    ),
    ...imageChanged(before, after),
    ...hashesChanged('import', before.imports, after.imports),
    ...runnerChanged(before, after),
    ...replaced('event', null, before.event, after.event),
  ]
  const isImported = changes.some(({ kind }) => kind === 'import')
  const isDefined = before.definition === after.definition || !sameCommit || isImported
  return isDefined ? changes : [...changes, withoutValue('definition', null, 'changed')]
}

function replaced(
  kind: OutsideChange['kind'],
  name: string | null,
  before: string,
  after: string,
): OutsideChange[] {
  return before === after ? [] : [{ kind, name, before, after, is: 'changed' }]
}

function runnerChanged(before: RunInputs, after: RunInputs): OutsideChange[] {
  if (before.runner === null || after.runner === null) return []
  return replaced('runner', null, before.runner, after.runner)
}

function imageChanged(before: RunInputs, after: RunInputs): OutsideChange[] {
  if (before.image === null || after.image === null) return []
  if (before.image !== after.image) return replaced('image', null, before.image, after.image)
  if (before.image_id === null || after.image_id === null) return []
  return replaced('image', before.image, before.image_id, after.image_id)
}

function hashesChanged(
  kind: OutsideChange['kind'],
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): OutsideChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return names.flatMap((name) => {
    if (before[name] === after[name]) return []
    if (before[name] === undefined) return [withoutValue(kind, name, 'added')]
    return [withoutValue(kind, name, after[name] === undefined ? 'removed' : 'changed')]
  })
}

const withoutValue = (
  kind: OutsideChange['kind'],
  name: string | null,
  is: OutsideChange['is'],
): OutsideChange => ({ kind, name, before: null, after: null, is })

/** Changes that a sentence names; the others are counted. */
const mostNamed = 5

/**
 * The changes outside the commit, in a sentence. `names`: whether its readers may see the sources of imported
 * files, which can be in private repositories.
 */
export function outsideText(outside: Outside, { names = true } = {}): string {
  const { from, to, result, changes, same_commit } = outside
  const [before, after] = result === 'failed' ? ['passed', 'failed'] : ['failed', 'passed']
  const later = `${roughSpan(outside.seconds)} later`
  const between = `between ${runText(from)}, which ${before}, and ${runText(to)}, which ${after} ${later}`
  if (changes.length === 0) {
    const rest = same_commit ? ' The commit is the same as well: the job may be flaky.' : ''
    return `Nothing outside the commit is known to have changed ${between}.${rest}`
  }
  const named = changes.slice(0, mostNamed).map((change) => changeText(change, names))
  const rest = changes.length - mostNamed
  const more = rest > 0 ? `; and ${rest} more` : ''
  return `Changed outside the commit ${between}: ${named.join('; ')}${more}.`
}

/** `job 7.1 (attempt 2)`; the runs that earlier commands have kept precede the first attempt. */
export function runText({ number, attempt }: NamedRun): string {
  if (attempt < 1) return `an earlier run of job ${number}`
  return `job ${number}${attempt === 1 ? '' : ` (attempt ${attempt})`}`
}

const longestShown = 100
const shown = (text: string | null) => shortened(visible(text ?? ''), longestShown)

function changeText({ kind, name, before, after, is }: OutsideChange, names: boolean): string {
  const values = `${shown(after)} instead of ${shown(before)}`
  switch (kind) {
    case 'variable':
      return `the variable ${shown(name)} of the settings ${variableTexts[is]}`
    case 'import': {
      const file = names ? `the imported file ${shown(name)}` : 'an imported file'
      return `${file} ${importTexts[is]}`
    }
    case 'version':
      return `${shown(name)}: ${values}`
    case 'image':
      return name === null ? `the image is ${values}` : `the image ${shown(name)} is ${values}`
    case 'runner':
      return `the runner is ${values}`
    case 'event':
      return `the event is ${values}`
    case 'definition':
      return 'the definition of the job has changed'
  }
}

const variableTexts = {
  added: 'was added',
  removed: 'was removed',
  changed: 'has another value',
} as const

const importTexts = {
  added: 'was added',
  removed: 'is imported no longer',
  changed: 'has another content',
} as const
