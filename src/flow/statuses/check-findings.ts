import type { Annotation } from '../../codehost/codehost.ts'
import { shownMessages } from '../../domain/request/config-errors.ts'
import {
  isApiSource,
  type MessageLevel,
  placeText,
  type RequestMessage,
  sourceName,
} from '../../domain/request/request.ts'
import { byLevel } from '../../lint/finding.ts'
import { lintText } from '../../lint/lint-text.ts'
import { ignoreCode } from '../../lint/project/ignore-comments.ts'
import { readSettings } from '../../lint/project/read-settings.ts'
import { withLevels } from '../../lint/project/settings.ts'
import { rules } from '../../lint/rules/index.ts'
import { workOf } from '../../reader/work.ts'
import { buildFilePath } from '../build-file/config-read.ts'
import { inMarkdown } from './markdown.ts'

export interface CheckInput {
  messages: readonly RequestMessage[]
  /** The build file; without it there is neither advice nor fixes. */
  text: string | null
  /** The settings of the linter in the same commit. */
  settings: string | null
}

export interface CheckFindings {
  /** The number of findings, not counting notes. */
  count: number
  summary: string
  annotations: Annotation[]
}

/** Computes the findings that the check run of a build file shows. */
export const checkWork = workOf(
  import.meta.url,
  'checkWork',
  (input: CheckInput): CheckFindings => {
    const findings = findingsOfCheck(input)
    const count = findings.filter(({ level }) => level !== 'info').length
    const annotations = annotationsOf(findings)
    const shown = annotations.slice(0, mostAnnotations)
    const notes = findings.length - count
    const total = count === 0 ? [] : [totalOf({ count, notes }, annotations.length), '']
    return { count, summary: [...total, ...summaryOf(findings)].join('\n'), annotations: shown }
  },
)

/** A finding about a build file: a message stored with the request, or advice. */
interface CheckFinding {
  level: MessageLevel
  code: string
  text: string
  src: string
  line: number | null
  column: number | null
  /** Title of a fix, if there is one. */
  fix: string | null
}

const adviceCodes = new Set([...rules.map(({ code }) => code), ignoreCode])

const nothing = { findings: [], ignored: [] }

/**
 * The findings that the check run shows (D31): the messages of the request and, for the build file
 * itself, advice and fixes, according to the project's settings. The most severe come first.
 */
function findingsOfCheck({ messages, text, settings: own }: CheckInput): CheckFinding[] {
  const { settings, problems } = readSettings(own ?? '')
  const { findings, ignored } =
    text === null ? nothing : lintText(text, { advice: true, file: buildFilePath, settings })
  const adviseHere = text !== null
  const silenced = new Set(ignored.map(locationKey))
  const fixes = new Map(
    findings.map((finding) => [locationKey(finding), finding.fix?.title ?? null]),
  )
  const stored = messages.flatMap(({ level, code, text, src, line, column }): CheckFinding[] => {
    const own = src === buildFilePath ? locationKey({ code, line, column }) : ''
    // Advice is added below, according to the project's settings.
    if (silenced.has(own) || (adviseHere && adviceCodes.has(code))) return []
    return [{ level, code, text, src, line, column, fix: fixes.get(own) ?? null }]
  })
  const advice = [...findings.filter(({ code }) => adviceCodes.has(code)), ...problems].map(
    ({ level, code, message, file, line, column, fix }): CheckFinding => {
      return { level, code, text: message, src: file, line, column, fix: fix?.title ?? null }
    },
  )
  const wanted = [...withLevels(stored, settings), ...advice]
  return shownMessages(wanted).toSorted(byLevel)
}

function locationKey({
  code,
  line,
  column,
}: Pick<CheckFinding, 'code' | 'line' | 'column'>): string {
  return `${code} ${line} ${column}`
}

const levels = {
  alert: 'failure',
  error: 'failure',
  warn: 'warning',
  info: 'notice',
} as const satisfies Record<MessageLevel, Annotation['level']>

/** Limit of annotations per check: more of them cannot be read at their lines. */
export const mostAnnotations = 500

/** The number of findings and notes, and that only the most severe are annotated, if so. */
function totalOf({ count, notes }: { count: number; notes: number }, annotations: number): string {
  const findings =
    notes === 0
      ? findingsText(count)
      : `${findingsText(count)} and ${notes} ${notes === 1 ? 'note' : 'notes'}`
  return annotations <= mostAnnotations
    ? `${findings}:`
    : `${findings}, the ${mostAnnotations} most severe at their lines:`
}

/** The number of findings in words, for titles and summaries. */
export function findingsText(count: number): string {
  return `${count} finding${count === 1 ? '' : 's'}`
}

/** Annotations at the lines of this commit's files; findings in other sources are left out. */
function annotationsOf(findings: readonly CheckFinding[]): Annotation[] {
  const failing = new Set(findings.filter(({ level }) => levels[level] === 'failure').map(lineOf))
  return findings.flatMap((finding) => {
    const { level, code, text, src, line, column, fix } = finding
    // A note on the line of a failure adds nothing to it.
    if (level === 'info' && failing.has(lineOf(finding))) return []
    if (line === null || src.includes(':') || isApiSource(src)) return []
    const columns = column === null ? {} : { start_column: column, end_column: column }
    const message = fix === null ? text : `${text}\n\n${suggestion(fix)}`
    const lines = { start_line: line, end_line: line }
    return [{ path: src, ...lines, ...columns, level: levels[level], title: code, message }]
  })
}

const lineOf = ({ src, line }: CheckFinding) => `${src}:${line}`

const suggestion = (fix: string) => `Suggestion: ${fix} (build-service lint --fix does it).`

/** All findings as a list, for the summary of the check. */
function summaryOf(findings: readonly CheckFinding[]): string[] {
  return findings.map(({ level, text, src, line }) => {
    const location = line === null ? sourceName(src) : placeText({ file: src, line })
    return `- **${level}** ${inMarkdown(location)} ${inMarkdown(text)}`
  })
}
