import type { Annotation } from '../../codehost/codehost.ts'
import {
  isApiSource,
  type MessageLevel,
  placeText,
  type RequestMessage,
  sourceName,
} from '../../domain/request/request.ts'
import { shownMessages } from '../../domain/request/shown-messages.ts'
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
  /** How many there are, notes aside. */
  count: number
  summary: string
  annotations: Annotation[]
}

/** What the check run says about a build file. */
export const checkWork = workOf(
  import.meta.url,
  'checkWork',
  (input: CheckInput): CheckFindings => {
    const findings = findingsOfCheck(input)
    return {
      count: findings.filter(({ level }) => level !== 'info').length,
      summary: summaryOf(findings),
      annotations: annotationsOf(findings),
    }
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
  /** What would fix it. */
  fix: string | null
}

const adviceCodes = new Set([...rules.map(({ code }) => code), ignoreCode])

const nothing = { findings: [], ignored: [] }

/**
 * The findings that the check run shows (D31): the messages of the request and, for the build file
 * itself, advice and fixes, as the project wants them. The most severe come first.
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
    // Advice is told below, as the project wants it.
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

/** More are too many to be read at their lines. */
const mostAnnotations = 500

/** Annotations at the lines of this commit's files; those of others, and of requests, are left out. */
function annotationsOf(findings: readonly CheckFinding[]): Annotation[] {
  const failing = findings.filter(({ level }) => levels[level] === 'failure').map(lineOf)
  return findings
    .flatMap((finding) => {
      const { level, code, text, src, line, column, fix } = finding
      // A note beside a failure says no more than that.
      if (level === 'info' && failing.includes(lineOf(finding))) return []
      if (line === null || src.includes(':') || isApiSource(src)) return []
      const columns = column === null ? {} : { start_column: column, end_column: column }
      const message = fix === null ? text : `${text}\n\n${suggestion(fix)}`
      const lines = { start_line: line, end_line: line }
      return [{ path: src, ...lines, ...columns, level: levels[level], title: code, message }]
    })
    .slice(0, mostAnnotations)
}

const lineOf = ({ src, line }: CheckFinding) => `${src}:${line}`

const suggestion = (fix: string) => `Suggestion: ${fix} (build-service lint --fix does it).`

/** All findings as a list, for the summary of the check. */
function summaryOf(findings: readonly CheckFinding[]): string {
  return findings
    .map(({ level, text, src, line }) => {
      const location = line === null ? sourceName(src) : placeText({ file: src, line })
      return `- **${level}** ${inMarkdown(location)} ${inMarkdown(text)}`
    })
    .join('\n')
}
