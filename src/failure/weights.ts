import { hasOnlyCode } from '../domain/failure/failed-build.ts'
import { firstErrorIn } from './first-errors.ts'

/**
 * How likely a line names the cause of a failure: words of errors count for it, summaries, notes and rulers
 * against it. Below 0, the line is only shown when nothing else is left.
 */
export function weightOf(text: string): number {
  const line = text.length > longestWeighed ? text.slice(0, longestWeighed) : text
  const known = firstErrorIn(line)
  let weight = known ? 2 : 0
  if (strong.test(line)) weight += 2
  if (exceptionAtStart.test(line)) weight += 1
  if (keyword.test(line)) weight += 1
  if (ruleCode.test(line)) weight += 1
  if (location.test(line)) weight += 0.5
  if (weak.test(line)) weight -= known ? 1 : 5
  else if (hints.test(line)) weight -= 3
  return weight
}

/** Whether a line only says where in the code something happened: never the cause. */
export function isStackFrame(text: string): boolean {
  return frames.test(text)
}

export const isPythonFrame = (text: string) => /^\s*File "[^"]*", line \d+/.test(text)
export const beginsTraceback = (text: string) =>
  /^\s*(?:\+ )?(?:Exception Group )?Traceback \(/.test(text)
export const isJavaCause = (text: string) => /^\s*Caused by: /.test(text)

/** Whether a line names a failed test; the message is below it, or elsewhere. */
export const namesTest = (text: string) =>
  /^\s*(?:--- FAIL: |● |\d+\) \S|not ok \d|[×✖✕] \S|FAIL {2}\S+ > )/.test(text)

/** Whether a line is the mark of a failed test in a list of tests, which has no message below it. */
export const marksTest = (text: string) => /^\s*[×✖✕] \S/.test(text)

/** Whether a line announces a message that follows: it ends with a colon, or has a code or place only. */
export const endsOpen = (text: string) =>
  openEnd.test(text.slice(-longestEnd)) || hasOnlyCode(text) || quotesCall.test(text)

/** Whether a line that announces more says something itself: `AssertionError: values differ:`, `M.hs:3:26: error:`. */
export const hasMessage = (text: string) =>
  ownMessage.test(text) ||
  (!hasOnlyCode(text) && firstErrorIn(text.slice(0, longestWeighed)) !== undefined)

/** Whether a line reports the failing command, whose output ends above it. */
export const reportsCommand = (text: string) =>
  /^g?make(?:\[\d+\])?: \*\*\* .*Error \d+$|\bELIFECYCLE\b|^npm (?:ERR!|error) Lifecycle|^error Command failed/.test(
    text,
  )

const ownMessage = /^\s*[\w.]*(?:Error|Exception)\b[^:]*: \S/
/** The call that RSpec quotes above its message. */
const quotesCall = /^\s*Failure\/Error: /
const openEnd = /(?::|\babort(?:ed|ing)!)\s*$/
const longestEnd = 20
const longestWeighed = 300

const strong = new RegExp(
  [
    String.raw`\b(?:error|ERROR|Error)\b ?(?:\[[\w-]+\])?:`,
    String.raw`\bfatal\b`,
    String.raw`\b[A-Z]\w*(?:Error|Exception)\b`,
    'panicked at',
    String.raw`[Aa]ssert(?:ion)?\b.*\b(?:failed|fails)`,
    'undefined reference',
    '[Nn]o such file',
    String.raw`\b[Cc](?:annot|an't|ould not|ouldn't) \w+`,
    'No module named',
    String.raw`\bKilled\b`,
    '[Oo]ut of memory',
    String.raw`[Tt]imed? ?out\b`,
    String.raw`\bHTTP(?:\/[\d.]+)? [45]\d\d\b`,
    String.raw`\brefused\b`,
    String.raw`\b[Pp]ermission denied\b`,
    String.raw`\b(?:not found|not defined|is missing|missing|mismatch|conflict)\b`,
    String.raw`\b(?:undeclared|[Uu]ndefined|[Uu]nknown|[Uu]nexpected|[Ii]nvalid|[Ee]xpected|[Uu]ninitialized|[Uu]nresolved|[Uu]nsupported)\b`,
    String.raw`^\s*[✖✕×●✗✘]`,
    String.raw`^E {2,}\S`,
    String.raw`^\s*not ok\b`,
    '^--- FAIL',
    String.raw`^\s*\d+\) (?!(?:Failure|Error):$)\S`,
    String.raw`^panic: `,
  ].join('|'),
)

const exceptionAtStart =
  /^(?:E(?= {2}))?\s*(?:[\w.$\\]+\.)?[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Failure)\b/
const keyword =
  /\b(?:error|fail(?:ed|ure|ing)?|exception|fatal|panic|denied|abort(?:ed)?|broken|bad|wrong|rejected|violat(?:es|ed|ion)|not (?:met|reached|satisfied|allowed|permitted|supported|readable|valid|running)|no tests|unable to|attempt to|definitely lost|overflow|race detected|differs?|missing|would reformat)\b/i
const ruleCode = /\b(?:[A-Z]{1,4}\d{3,5})\b/
const location = /(?:^|[\s(])[\w./-]+\.[A-Za-z]{1,5}[:(]\d+/

const weak = new RegExp(
  [
    String.raw`^\s*g?make(?:\[\d+\])?: \*\*\* .*(?:Error \d+|not remade|Waiting for unfinished)`,
    String.raw`^npm (?:ERR!|error) (?:A complete log|Lifecycle|Exit status|Test failed|path|command|Did you mean|  |To see|Run|errno|syscall)|^npm (?:ERR!|error)\s*$`,
    String.raw`^\s*npm (?:notice|warn)\b`,
    String.raw`^[\s=_*~#+.⎯─━│╷╵-]*$`,
    String.raw`^(?=.*\^)[|~^\s-]*$`,
    String.raw`^[=_─⎯-]{3}.*[=_─⎯-]{3}$`,
    // Totals.
    String.raw`\b\d+ (?:failed|failures?|failing|passed|passing|errors?|problems?|runs?|examples|tests?|assertions|skipped|warnings?|files? inspected)\b[^:]{0,60}:?$`,
    String.raw`\b\d+% tests passed`,
    String.raw`^\s*\d+ (?:items? had failures:|of +\d+ in )`,
    String.raw`^(?:Got|Expected):$`,
    String.raw`^\s*[#ℹ] ?(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms|type|subtest|Looks like|Failed \d)\b`,
    String.raw`^\s*Tests?(?: Suites?| Files?)?:?\s+\d`,
    String.raw`^\s*(?:Failures?|Failed (?:examples|tests?)|Errors?|Offenses|FAILURES!?|● Test suite failed to run|\d+\) (?:Failure|Error)|FAIL|FAILED|ERROR|failures|Failed Tests \d+|The following tests FAILED):?\s*$`,
    String.raw`^\s*FAILED \((?:failures|errors)`,
    String.raw`^\s*(?:Result: FAIL|Test Summary Report|short test summary)`,
    String.raw`^\s*[.FEWSsRI*]{2,}\s*(?:\[ *\d+%\]|\d+ / \d+.*)?$`,
    String.raw`^\s*[.FEWSsRI]+\s+\d+ / \d+ \(`,
    String.raw`^==\d+==\s*$`,
    String.raw`^(?:\w[\w.-]*: )?(?:ERROR: )?[Uu]sage: `,
    String.raw`\babort(?:ed|ing) due to\b`,
    String.raw`^In file included from|^\s+from .*[:,]$`,
    String.raw`\b(?:note|NOTE|warning|WARNING|Warning|WARN|hint|help|info|INFO):`,
    String.raw`^\s*(?:=|-->|\|)\s`,
    String.raw`^\s*\d*\s*\|`,
    String.raw`^\s*(?:For more information|Did you mean|Traceback|See also|To see the stack)`,
    String.raw`(?:see|found (?:at|in):?) .*\blog\b`,
    String.raw`^\s*(?:collect2|ninja: build stopped|error: could not compile|error: test failed|error: aborting|error Command failed)`,
    String.raw`\b(?:Failed to execute goal|Errors while running CTest|Configuring incomplete|BUILD FAILURE)`,
    String.raw`^\s*rspec \S+ #|^Randomized with seed|^Run options:|^Finished in|^# Running`,
    String.raw`^\s*ELIFECYCLE|ERR_PNPM_RECURSIVE`,
    String.raw`^\s*(?:Dubious, test returned|Failed \d+/\d+ subtests)`,
    String.raw`\bDubious, test returned|^\s*Failed \d+/\d+ subtests|Wstat: `,
    String.raw`^FAIL\t|^ok  ?\t|^ok \d|^exit status \d+$`,
    String.raw`^#\d+ |^\s*… |^stack (?:backtrace|traceback):`,
    String.raw`^(?:BUILD FAILED|FAILURE: Build failed)`,
  ].join('|'),
)

/** Lines that accompany an error: values, quoted source. */
const hints =
  /^\s*(?:duration_ms|location|code|stack|type|failureType|severity|operator|name): |^\s*at least\b|^\s*\d+ [|│+-] |^\s*>|^Node\.js v\d|^\s*[-+] (?:expected|actual)|\|\s*[\d.%]+\s*\|/

const frames = new RegExp(
  [
    String.raw`^\s+at (?:async |new )?[\w$.<>\[\]/ @-]+(?:\(|:|$)`,
    String.raw`^\s+at \S+:\d+`,
    String.raw`^\s*at (?:file|node|async|Object|Module|new|process)[\s:.]`,
    String.raw`^\s*File "[^"]*", line \d+`,
    String.raw`^\s*from \S+:\d+:in `,
    String.raw`^\s*#\d+[: ]\s*(?:0x|\{main\}|\S+\(\d+\)|/)`,
    String.raw`^\s*# (?:\./|/)\S+:\d+:in`,
    String.raw`^\s*❯ \S+:\d+:\d+`,
    String.raw`^\s*\.\.\. \d+ more$`,
    String.raw`^\s*(?:goroutine \d+ \[|created by |\t/)`,
    String.raw`^\s*node:internal`,
    String.raw`^==\d+==\s+(?:at|by) 0x`,
    String.raw`^\s+\S+:\d+ \+0x[\da-f]+$`,
    String.raw`^\s+\[C\]: in |^\s+\S+\.lua:\d+: in `,
    String.raw`^\s+\d+: (?:0x|std::|core::|rust_|_|<)`,
  ].join('|'),
)
