import { docsPage, isCode } from '../describe-code.ts'
import type { Finding } from '../finding.ts'
import { messageText } from '../message-text.ts'
import { quote } from '../quote.ts'
import { isOptional } from './settings.ts'

/** The code of a comment that does nothing. */
export const ignoreCode = 'lint_ignore'

const comment = /(?:^|\s)(#\s*lint-ignore\b.*)$/
const wellFormed = /^#\s*lint-ignore\s+(\w+)\s*:\s*\S/

interface IgnoreComment {
  line: number
  column: number
  written: string
  /** The code that it is about; undefined where it is not well formed. */
  code: string | undefined
  /** The line that it is about. */
  about: number
}

export interface Considered {
  findings: Finding[]
  /** What comments switch off. */
  ignored: Finding[]
}

/**
 * Leaves out what comments of the form `# lint-ignore CODE: reason` switch off, at their own line or,
 * where they have a line to themselves, at the next one. Comments that do nothing are reported.
 */
export function heedComments(findings: readonly Finding[], text: string, file: string): Considered {
  const comments = text.includes('lint-ignore') ? commentsIn(text) : []
  if (comments.length === 0) return { findings: [...findings], ignored: [] }
  const subjects = new Set(comments.map(subjectOf))
  const found = new Map(findings.map((finding) => [subjectOf(finding), finding]))
  const isIgnored = (finding: Finding) => isOptional(finding) && subjects.has(subjectOf(finding))
  const idle = comments.flatMap((comment) => {
    const problem = problemOf(comment, found.get(subjectOf(comment)))
    return problem === undefined ? [] : [findingAt(comment, problem, file)]
  })
  return {
    findings: [...findings.filter((finding) => !isIgnored(finding)), ...idle],
    ignored: findings.filter(isIgnored),
  }
}

/** In their order. */
function commentsIn(text: string): IgnoreComment[] {
  const comments: IgnoreComment[] = []
  let below = 0
  // From the end, since a comment may be about the line below it.
  for (const [index, line] of [...text.split(/\r?\n/).entries()].toReversed()) {
    const written = comment.exec(line)?.[1]
    if (written !== undefined) {
      const column = line.length - written.length + 1
      const isAlone = line.trim() === written.trim()
      const code = wellFormed.exec(written)?.[1]
      const place = { line: index + 1, column, about: isAlone ? below : index + 1 }
      comments.push({ ...place, written: written.trimEnd(), code })
    }
    if (!/^\s*(?:#|$)/.test(line)) below = index + 1
  }
  return comments.toReversed()
}

/** What findings and comments are about, as a text to compare. */
function subjectOf(of: Finding | IgnoreComment): string {
  return `${of.code} ${'about' in of ? of.about : of.line}`
}

/** Why a comment does nothing; undefined if it does something. */
function problemOf({ code }: IgnoreComment, found: Finding | undefined): string | undefined {
  if (code === undefined) {
    return 'it has to be "# lint-ignore CODE: reason", with one code and a reason'
  }
  if (!isCode(code)) return `there is no code ${quote(code)}: take the one that a finding shows`
  if (!found) return `${quote(code)} is not reported at its line: remove it`
  if (isOptional(found)) return undefined
  return `what is reported as ${quote(code)} breaks builds: correct that, and remove the comment`
}

function findingAt(comment: IgnoreComment, problem: string, file: string): Finding {
  const { line, column, written } = comment
  return {
    level: 'info',
    code: ignoreCode,
    key: [],
    message: messageText({ level: 'info', code: ignoreCode, key: [], args: { problem } }),
    file,
    line,
    column,
    end_line: line,
    end_column: column + written.length,
    docs: docsPage(ignoreCode),
  }
}
