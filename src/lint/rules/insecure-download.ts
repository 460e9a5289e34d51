import { partOf } from '../context/part-of.ts'
import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { Part } from '../shell/parts.ts'
import type { LintRule } from './rule.ts'

const shell = /^\s*(?:sudo\s+(?:-\S+\s+)*)?(?:ba|z|da)?sh(?:[\s;)]|$)/

const download = /curl|wget/

/** An open address or an option as below: every finding contains one of them. */
const suspicious = /http:|\s-[a-zA-Z]*k|--insecure|--no-check-certificate/

/** A shell that runs the output of a command in brackets: `bash <(…)`, `sh -c "$(…)"`, `eval "$(…)"`. */
const inBrackets =
  /(?:\b(?:ba|z|da)?sh\s+(?:-\S+\s+)*(?:<\(|["']?\$\()|\beval\s+["']?\$\(|(?:^|[\s;])(?:source|\.)\s+<\()\s*((?:curl|wget)\b[^()]*)\)/g

/** Options that accept an answer from any server, by program. */
const unchecked = {
  curl: /\s(-[a-zA-Z]*k[a-zA-Z]*|--insecure)(?=\s|$)/,
  wget: /\s(--no-check-certificate)(?=\s|$)/,
}

export const insecureDownload: LintRule = {
  code: 'insecure_download',
  level: 'warn',
  summary: 'A script that is downloaded without encryption or without certificate checks.',
  why:
    'Anyone between the job and that server can decide what is run, with all the secrets of the ' +
    'job: without encryption, and with `curl -k` too, which does not verify the server, so the ' +
    'download cannot be trusted, whatever it is used for. Use an address that begins with ' +
    '`https:` and leave `-k` out, or keep the file in the repository.',
  examples: [
    {
      source: 'install: curl -sL http://example.com/setup.sh | bash\n',
      messages: [
        'what "http://example.com/setup.sh" returns is run, but anyone on the way can change it: ' +
          'download it by "https"',
      ],
    },
    {
      source: 'install: bash <(curl -s http://example.com/setup.sh)\n',
      messages: [
        'what "http://example.com/setup.sh" returns is run, but anyone on the way can change it: ' +
          'download it by "https"',
      ],
    },
    {
      source: 'install: curl -skL https://example.com/setup.sh | sh\n',
      messages: [
        'what "https://example.com/setup.sh" returns is run, whatever server answers: remove the option ' +
          'that turns certificate checks off ("-k")',
      ],
    },
    {
      source: 'install: curl -kLo tool https://example.com/tool && chmod +x tool\n',
      messages: [
        'what "https://example.com/tool" returns is taken, whatever server answers: remove the option ' +
          'that turns certificate checks off ("-k")',
      ],
    },
    {
      source: 'install: wget --no-check-certificate https://example.com/tool\n',
      messages: [
        'what "https://example.com/tool" returns is taken, whatever server answers: remove the option ' +
          'that turns certificate checks off ("--no-check-certificate")',
      ],
    },
    { source: 'install: wget -k https://example.com/page\n', messages: [] },
    { source: 'script: curl -k https://localhost:8443/health\n', messages: [] },
    { source: 'install: curl -sL https://example.com/setup.sh | bash\n', messages: [] },
    { source: 'install: bash <(curl -s https://example.com/setup.sh)\n', messages: [] },
    { source: 'install: curl -sLO http://example.com/data.tgz\n', messages: [] },
    { source: 'script: curl http://localhost:8080/setup.sh | sh\n', messages: [] },
  ],
  commands: download,

  *check(context) {
    for (const line of context.once(allCommands)) {
      const { text, path } = line
      if (!suspicious.test(text)) continue
      const run = openIn(runIn(text), isOpen)
      const found = run ?? openIn(takenIn(text), isUnchecked)
      if (!found) continue
      const { command, address } = found
      const what = `what ${quote(address)} returns is ${run ? 'run' : 'taken'},`
      const message = address.startsWith('https:')
        ? `${what} whatever server answers: remove the option that turns certificate checks off (${quote(uncheckedBy(command.text) ?? '')})`
        : `${what} but anyone on the way can change it: download it by "https"`
      yield { message, path, ...partOf(context, line, command) }
    }
  },
}

type Download = Pick<Part, 'text' | 'start'>

/** The downloads whose responses are run by a shell. */
function runIn(text: string): Download[] {
  const pieces = text.split('|')
  let start = 0
  const piped = pieces.flatMap((piece, at) => {
    const command = lastCommand(piece, start)
    start += piece.length + 1
    return shell.test(pieces[at + 1] ?? '') ? [command] : []
  })
  const inner = [...text.matchAll(inBrackets)].flatMap(({ 0: all, 1: command = '', index }) => ({
    text: command,
    start: index + all.lastIndexOf(command),
  }))
  return [...piped, ...inner].filter((command) => /\b(?:curl|wget)\b/.test(command.text))
}

/** All downloads of a line, however their output is used. */
function takenIn(text: string): Download[] {
  return [...text.matchAll(/(?<![\w./-])(?:curl|wget)\s[^;&|\n]*/g)].map(
    ({ 0: command, index }) => ({ text: command, start: index }),
  )
}

/** The first of these downloads whose response may come from anyone, with its address. */
function openIn(
  downloads: readonly Download[],
  isAnybodys: (command: string, address: string) => boolean,
): { command: Download; address: string } | undefined {
  for (const command of downloads) {
    const address = addressIn(command.text)
    if (address === undefined || own.test(address)) continue
    if (isAnybodys(command.text, address)) return { command, address }
  }
  return undefined
}

/** Addresses on the job's own machine, or on a machine that is not known. */
const own = /^https?:\/\/(?:localhost|127\.|\[::1\]|\$)/

function isOpen(command: string, address: string): boolean {
  return address.startsWith('http:') || isUnchecked(command, address)
}

function isUnchecked(command: string, address: string): boolean {
  return address.startsWith('https:') && uncheckedBy(command) !== undefined
}

/** The option as a user knows it: `-k` may be one of several letters that are written together. */
function uncheckedBy(command: string): string | undefined {
  const program = /\bwget\b/.test(command) ? unchecked.wget : unchecked.curl
  const option = program.exec(command)?.[1]
  return option?.startsWith('--') === false ? '-k' : option
}

function addressIn(command: string): string | undefined {
  return /[\s"'](https?:\/\/[^\s"']+)/.exec(command)?.[1]
}

function lastCommand(piece: string, start: number): Download {
  const at = Math.max(...[';', '&', '\n'].map((end) => piece.lastIndexOf(end))) + 1
  return { text: piece.slice(at), start: start + at }
}
