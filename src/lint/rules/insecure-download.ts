import { quote } from '../quote.ts'
import { allCommands } from '../sections.ts'
import type { Rule } from './rule.ts'

const piped =
  /\b(?:curl|wget)\b[^|;&\n]*?\s["']?(http:\/\/[^\s"'|;&]+)[^|;&\n]*\|\s*(?:sudo\s+(?:-\S+\s+)*)?(?:ba|z|da)?sh\b/

export const insecureDownload: Rule = {
  code: 'insecure_download',
  level: 'warn',
  summary: 'A script that is downloaded without encryption and run at once.',
  why:
    'Whoever sits between the job and that server decides what is run, with all the secrets of the ' +
    'job. Use an address that begins with `https:`, or keep the script in the repository.',
  examples: [
    {
      source: 'install: curl -sL http://example.com/setup.sh | bash\n',
      messages: [
        'what "http://example.com/setup.sh" answers is run, but anybody on the way can change it: ' +
          'download it by "https"',
      ],
    },
    { source: 'install: curl -sL https://example.com/setup.sh | bash\n', messages: [] },
    { source: 'install: curl -sLO http://example.com/data.tgz\n', messages: [] },
    { source: 'script: curl http://localhost:8080/setup.sh | sh\n', messages: [] },
  ],

  *check({ config }) {
    for (const { text, path } of allCommands(config)) {
      const address = piped.exec(text)?.[1]
      if (!address || /^http:\/\/(?:localhost|127\.|\[::1\]|\$)/.test(address)) continue
      const message =
        `what ${quote(address)} answers is run, but anybody on the way can change it: download it ` +
        'by "https"'
      yield { message, path }
    }
  },
}
