import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { Rule } from './rule.ts'

const shell = /^\s*(?:sudo\s+(?:-\S+\s+)*)?(?:ba|z|da)?sh(?:[\s;)]|$)/

const download = /\b(?:curl|wget)\b/

/** A shell that runs what a command in brackets returns: `bash <(…)`, `sh -c "$(…)"`, `eval "$(…)"`. */
const inBrackets =
  /(?:\b(?:ba|z|da)?sh\s+(?:-\S+\s+)*(?:<\(|["']?\$\()|\beval\s+["']?\$\(|(?:^|[\s;])(?:source|\.)\s+<\()\s*((?:curl|wget)\b[^()]*)\)/g

const unchecked = /\s(?:-[a-zA-Z]*k[a-zA-Z]*|--insecure|--no-check-certificate)(?=\s|$)/

export const insecureDownload: Rule = {
  code: 'insecure_download',
  level: 'warn',
  summary: 'A script that is downloaded without encryption, or from anyone, and run at once.',
  why:
    'Anyone between the job and that server can decide what is run, with all the secrets of the ' +
    'job: without encryption, and with `curl -k` too, which does not look whose answer it is. Use an ' +
    'address that begins with `https:` and leave `-k` out, or keep the script in the repository.',
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
        'what "https://example.com/setup.sh" returns is run, whoever answers: leave out what turns ' +
          'the check of the certificate off ("-k")',
      ],
    },
    { source: 'install: curl -sL https://example.com/setup.sh | bash\n', messages: [] },
    { source: 'install: bash <(curl -s https://example.com/setup.sh)\n', messages: [] },
    { source: 'install: curl -sLO http://example.com/data.tgz\n', messages: [] },
    { source: 'script: curl http://localhost:8080/setup.sh | sh\n', messages: [] },
  ],

  *check({ once }) {
    for (const { text, path } of once(allCommands)) {
      if (!/https?:/.test(text)) continue
      const found = runIn(text)
        .map((command) => ({ command, address: addressIn(command) }))
        .find(({ command, address }) => address !== undefined && isOpen(command, address))
      if (found?.address === undefined) continue
      const { address } = found
      const what = `what ${quote(address)} returns is run,`
      const message = address.startsWith('https:')
        ? `${what} whoever answers: leave out what turns the check of the certificate off ("-k")`
        : `${what} but anyone on the way can change it: download it by "https"`
      yield { message, path }
    }
  },
}

/** The downloads whose responses are run by a shell. */
function runIn(text: string): string[] {
  const pieces = text.split('|')
  const piped = pieces.flatMap((piece, at) =>
    at > 0 && shell.test(piece) ? [lastCommand(pieces[at - 1])] : [],
  )
  const inner = [...text.matchAll(inBrackets)].map(([, command = '']) => command)
  return [...piped, ...inner].filter((command) => download.test(command))
}

function isOpen(command: string, address: string): boolean {
  if (/^https?:\/\/(?:localhost|127\.|\[::1\]|\$)/.test(address)) return false
  return address.startsWith('http:') || unchecked.test(command)
}

function addressIn(command: string): string | undefined {
  return /[\s"'](https?:\/\/[^\s"']+)/.exec(command)?.[1]
}

function lastCommand(piece = ''): string {
  return piece.slice(piece.search(/[^;&\n]*$/))
}
