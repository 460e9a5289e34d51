import type { Span } from '../../buildfile/tree/node.ts'
import type { Context } from '../context/context.ts'
import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import { openSplitter } from '../shell/parts.ts'
import type { Advice, Rule } from './rule.ts'

/** `apt-get install`, with whatever options stand before the verb. */
const installing =
  /^(?:sudo\s+(?:-\S+\s+|\w+=\S*\s+)*)?(?:\w+=\S*\s+)*apt(?:-get)?\s+(?:.*\s)?install(?:\s|$)/

/** An option that answers all questions; `-qq` and `-q=2` do so too. */
const answered =
  /\s(?:-[a-z]*y[a-z]*|-[a-z]*q[a-z]*q[a-z]*|-q=\d|--yes|--assume-yes|--force-yes|-s|--simulate|--dry-run|--just-print|--print-uris)(?=\s|$)/

export const installAsks: Rule = {
  code: 'install_asks',
  level: 'warn',
  summary: '`apt-get install` without `-y`.',
  why:
    'Where more has to be installed than was asked for, `apt-get` asks before it begins. In a job no ' +
    'one answers, so it gives up: today or on the day when a package gets a new dependency. With `-y` ' +
    'it goes on.',
  examples: [
    {
      source: 'before_install:\n  - sudo apt-get install libxml2-dev\n',
      messages: [
        '"sudo apt-get install libxml2-dev" may ask before it installs more, and no one answers: add ' +
          '"-y"',
      ],
      fixed: 'before_install:\n  - sudo apt-get install -y libxml2-dev\n',
      onRequest: true,
    },
    { source: 'before_install: sudo apt-get -qq install libxml2-dev\n', messages: [] },
    { source: 'before_install: sudo apt-get install --yes libxml2-dev\n', messages: [] },
    { source: 'before_install: yes | sudo apt-get install libxml2-dev\n', messages: [] },
    { source: 'before_install: sudo apt-get $OPTIONS install libxml2-dev\n', messages: [] },
  ],
  mentions: /apt/,

  *check(context) {
    // A setting of apt may answer for all.
    if (/(?<!--)assume-?yes/i.test(context.text)) return
    for (const { text, path } of context.once(allCommands)) {
      if (!text.includes('install')) continue
      const parts = context.once(openSplitter)(text) ?? []
      const asking = parts.find(
        (part, index) => asks(part.text) && parts[index - 1]?.joint !== '|',
      )?.text
      if (asking === undefined) continue
      const message = `${quote(asking)} may ask before it installs more, and no one answers: add "-y"`
      yield { message, path, ...fixOf(context, context.spanOf(path)) }
    }
  },
}

function asks(command: string): boolean {
  // What a variable holds may be the option.
  const [options = ''] = command.split(/\sinstall(?:\s|$)/)
  return installing.test(command) && !answered.test(command) && !options.includes('$')
}

/** Where the entry installs once only, and as it is written. */
function fixOf({ text }: Context, at: Span | undefined): Pick<Advice, 'fix'> {
  if (!at) return {}
  const found = [...text.slice(at.start, at.end).matchAll(/\bapt(?:-get)?\s+install\b/g)]
  const [only] = found
  if (!only || found.length > 1) return {}
  const end = at.start + only.index + only[0].length
  return { fix: { title: 'add -y', edits: [{ start: end, end, text: ' -y' }], safe: false } }
}
