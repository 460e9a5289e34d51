import { quote } from '../quote.ts'
import { allCommands } from '../context/sections.ts'
import type { Rule } from './rule.ts'

const shell = /^\s*(?:sudo\s+(?:-\S+\s+)*)?(?:ba|z|da)?sh(?:\s|$)/

const download = /\b(?:curl|wget)\b/

export const insecureDownload: Rule = {
  code: 'insecure_download',
  level: 'warn',
  summary: 'A script that is downloaded without encryption and run at once.',
  why:
    'Anyone between the job and that server can decide what is run, with all the secrets of the ' +
    'job. Use an address that begins with `https:`, or keep the script in the repository.',
  examples: [
    {
      source: 'install: curl -sL http://example.com/setup.sh | bash\n',
      messages: [
        'what "http://example.com/setup.sh" returns is run, but anyone on the way can change it: ' +
          'download it by "https"',
      ],
    },
    { source: 'install: curl -sL https://example.com/setup.sh | bash\n', messages: [] },
    { source: 'install: curl -sLO http://example.com/data.tgz\n', messages: [] },
    { source: 'script: curl http://localhost:8080/setup.sh | sh\n', messages: [] },
  ],

  *check({ once }) {
    for (const { text, path } of once(allCommands)) {
      if (!text.includes('http:')) continue
      const address = runFrom(text)
      if (!address || /^http:\/\/(?:localhost|127\.|\[::1\]|\$)/.test(address)) continue
      const message =
        `what ${quote(address)} returns is run, but anyone on the way can change it: download it ` +
        'by "https"'
      yield { message, path }
    }
  },
}

/** The address without encryption whose response is run by a shell. */
function runFrom(text: string): string | undefined {
  const pieces = text.split('|')
  const index = pieces.findIndex((piece, at) => shell.test(piece) && isDownload(pieces[at - 1]))
  return index < 0 ? undefined : addressIn(pieces[index - 1])
}

function isDownload(piece: string | undefined): boolean {
  return download.test(lastCommand(piece)) && addressIn(piece) !== undefined
}

function addressIn(piece: string | undefined): string | undefined {
  return /\shttp:\/\/[^\s"']+|["'](http:\/\/[^\s"']+)/
    .exec(lastCommand(piece))?.[0]
    ?.trim()
    .replace(/^["']/, '')
}

function lastCommand(piece = ''): string {
  return piece.slice(piece.search(/[^;&\n]*$/))
}
