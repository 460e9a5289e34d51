import type { Config, LineOf } from '../buildfile/expand/values.ts'
import { unreadableMessage } from '../buildfile/messages/unreadable.ts'
import { readBuildFile } from '../buildfile/read-build-file.ts'
import { withoutForeign } from '../domain/request/config-errors.ts'
import { advise } from './advise.ts'
import { openContext } from './context/open-context.ts'
import { findingOfMessage } from './finding-of.ts'
import { byLevel, type Finding, type Edit, type Fix } from './finding.ts'
import { heedComments } from './project/ignore-comments.ts'
import { noSettings, type ProjectSettings, withLevels } from './project/settings.ts'
import { rules } from './rules/index.ts'
import type { LintRule } from './rules/rule.ts'

export interface LintOptions {
  /** Whether the advice rules run as well (D31). */
  advice: boolean
  /** The rules to run, if not all. */
  rules?: readonly LintRule[]
  /** The project's settings for the linter. */
  settings?: ProjectSettings
  /** Whether comments `lint-ignore` apply; by default only with advice. */
  comments?: boolean
  /** Name of the file in findings. */
  file?: string
  /** The maximum number of values in the file, if there is a limit. */
  mostValues?: number
}

export interface Linted {
  /** The worst first; within a level in the order of the reader, advice last. */
  findings: Finding[]
  /** The normal form; empty for a file that cannot be read. */
  config: Config
  /** Findings that comments switch off, and findings superseded by others. */
  ignored: Finding[]
  lineOf: LineOf
  /** The reason why the file cannot be read; it is also among the findings. */
  error: Finding | null
}

/** Reports everything about a build file. Never throws. */
export function lintText(text: string, options: LintOptions): Linted {
  const { file = '.service.yml', advice, rules, mostValues } = options
  const { comments = advice, settings = noSettings } = options
  const read = readBuildFile(text, { mostValues })
  const { config, messages, positions, prepared } = read
  const source = { name: file, prepared }
  if (read.error) {
    const error = findingOfMessage(unreadableMessage(read), source)
    return { findings: [error], config, ignored: [], lineOf: () => null, error }
  }
  const context = openContext(read)
  const found = [
    ...messages.map((message) => findingOfMessage(message, source, context)),
    ...(advice ? advise(context, source, rules) : []),
  ]
  const lineOf: LineOf = (path) => {
    const span = positions(path)?.value
    return span ? prepared.written(span.start).line : null
  }
  const heeded = comments ? heedComments(found, text, file) : { findings: found, ignored: [] }
  // A finding that the project switched off supersedes no other finding.
  const { findings, superseded } = withoutSuperseded(withLevels(heeded.findings, settings))
  return {
    findings: withoutRepeats(findings.toSorted(byLevel)),
    ignored: [...heeded.ignored, ...superseded],
    config,
    lineOf,
    error: null,
  }
}

const adviceCodes = new Set(rules.map(({ code }) => code))

/** Reports repeated advice once, at its first position, with the fixes of all. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  if (!findings.some(({ code }) => adviceCodes.has(code))) return [...findings]
  const groups = new Map<string, Finding[]>()
  for (const [index, finding] of findings.entries()) {
    const { code, level, message } = finding
    const name = adviceCodes.has(code) ? `${code} ${level} ${message}` : `${index}`
    const group = groups.get(name)
    if (group) group.push(finding)
    else groups.set(name, [finding])
  }
  return [...groups.values()].flatMap(counted)
}

function counted(alike: readonly Finding[]): readonly Finding[] {
  const [first] = alike
  if (!first || alike.length === 1) return alike
  const message = `${first.message} (${alike.length} times in this file)`
  const fix = first.fix && joined(first.fix, alike)
  return [{ ...first, message, count: alike.length, ...(fix && { fix }) }]
}

/** Joins all edits into one fix; edits may coincide if an anchor is used twice. */
function joined(fix: Fix, alike: readonly Finding[]): Fix {
  const edits: Edit[] = []
  const all = alike.flatMap((finding) => finding.fix?.edits ?? [])
  for (const edit of all.toSorted((one, other) => one.start - other.start)) {
    if (edit.start >= (edits.at(-1)?.end ?? 0) && edit.start !== edits.at(-1)?.start)
      edits.push(edit)
  }
  return { ...fix, edits }
}

interface Separated {
  findings: Finding[]
  /** Findings made redundant by a more specific finding. */
  superseded: Finding[]
}

/** Separates findings that only repeat another finding; their subject is still reported. */
function withoutSuperseded(found: readonly Finding[]): Separated {
  // Most files have no superseded findings.
  if (!found.some(({ code }) => telling.has(code))) return { findings: [...found], superseded: [] }
  const kept = new Set(withoutForeign(found))
  const plain = found.filter(({ code }) => code === 'unreadable_secure')
  const isKept = (finding: Finding) =>
    kept.has(finding) &&
    // How a secret is encrypted does not matter if it is not encrypted.
    !(finding.code === 'invalid_secure' && plain.some((each) => isAround(finding, each)))
  return { findings: found.filter(isKept), superseded: found.filter((finding) => !isKept(finding)) }
}

const telling: ReadonlySet<string> = new Set(['file_of_another_service', 'unreadable_secure'])

/** Whether the position of one finding contains that of another. */
function isAround(outer: Finding, inner: Finding): boolean {
  const isSameLine = outer.line === inner.line && outer.end_line === inner.end_line
  const begins = (outer.column ?? 0) <= (inner.column ?? 0)
  return isSameLine && begins && (outer.end_column ?? 0) >= (inner.end_column ?? 0)
}
