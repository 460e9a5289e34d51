import { docsPage, isCode } from '../describe-code.ts'
import type { Finding } from '../finding.ts'
import { messageText } from '../message-text.ts'
import { quote } from '../quote.ts'
import { isOptional } from './settings.ts'

/** The code of a comment that does nothing. */
export const ignoreCode = 'lint_ignore'

// With `s`, so that no other line-break character causes repeated attempts to match.
const comment = /(?:^|\s)(#\s*lint-ignore\b.*)$/s
const wellFormed = /^#\s*lint-ignore\s+(\w+)\s*:\s*\S/

interface IgnoreComment {
  line: number
  column: number
  written: string
  /** The code named in the comment; undefined if the comment is not well formed. */
  code: string | undefined
  /** The line that the comment covers, and any block scalar that begins there. */
  about: number
}

export interface Considered {
  findings: Finding[]
  /** Findings that comments switch off. */
  ignored: Finding[]
}

/**
 * Leaves out findings that comments of the form `# lint-ignore CODE: reason` switch off: on the
 * comment's own line or, if the comment is alone on its line, on the next one. Comments without effect
 * are reported.
 */
export function heedComments(findings: readonly Finding[], text: string, file: string): Considered {
  if (!text.includes('lint-ignore')) return { findings: [...findings], ignored: [] }
  const lines = text.split(/\r?\n/)
  const comments = commentsIn(lines)
  if (comments.length === 0) return { findings: [...findings], ignored: [] }
  const heads = blockHeads(lines)
  const placesOf = ({ code, line }: Finding) =>
    [line, heads.get(line ?? 0)].map((place) => `${code} ${place}`)
  const subjects = new Set(comments.map(subjectOf))
  const found = new Map(findings.flatMap((each) => placesOf(each).map((place) => [place, each])))
  const isIgnored = (finding: Finding) =>
    isOptional(finding) && placesOf(finding).some((place) => subjects.has(place))
  const idle = comments.flatMap((comment) => {
    const problem = problemOf(comment, found.get(subjectOf(comment)))
    return problem === undefined ? [] : [findingAt(comment, problem, file)]
  })
  return {
    findings: [...findings.filter((finding) => !isIgnored(finding)), ...idle],
    ignored: findings.filter(isIgnored),
  }
}

/** The comments in file order. */
function commentsIn(lines: readonly string[]): IgnoreComment[] {
  const comments: IgnoreComment[] = []
  let below = 0
  // From the end, because a comment may be about the line below it.
  for (const [index, line] of [...lines.entries()].toReversed()) {
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

/** The lines of block scalars, each with the line of the `|` or `>` that begins the block. */
function blockHeads(lines: readonly string[]): ReadonlyMap<number, number> {
  const heads = new Map<number, number>()
  let head: { line: number; indent: number } | undefined
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/)
    if (head && (indent < 0 || indent > head.indent)) heads.set(index + 1, head.line)
    else head = beginsBlock.test(line) ? { line: index + 1, indent } : undefined
  }
  return heads
}

const beginsBlock = /(?:^|\s)[|>][-+\d]*(?:\s+#.*|\s*)$/s

/** Code and line of a comment, as a text to compare. */
function subjectOf({ code, about }: IgnoreComment): string {
  return `${code} ${about}`
}

/** Why a comment does nothing; undefined if it does something. */
function problemOf({ code }: IgnoreComment, found: Finding | undefined): string | undefined {
  if (code === undefined) {
    return 'write "# lint-ignore CODE: reason", with one code and a reason'
  }
  if (!isCode(code)) return `there is no code ${quote(code)}: copy the code from a finding`
  if (!found) return `${quote(code)} is not reported at its line: remove it`
  if (isOptional(found)) return undefined
  return `findings with the code ${quote(code)} stop builds or reveal a secret: correct that, and remove the comment`
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
