import type { Span } from '../../buildfile/tree/node.ts'
import type { LintContext } from '../context/context.ts'
import { allCommands, allSections } from '../context/sections.ts'
import { quote } from '../quote.ts'
import { openSplitter } from '../shell/parts.ts'
import type { Advice, LintRule } from './rule.ts'

const verbs = 'install|upgrade|dist-upgrade|full-upgrade|remove|purge|autoremove|build-dep'

/** `apt-get install`, with any options before the verb; `yum` and `dnf` ask for confirmation too. */
const changing = new RegExp(
  String.raw`^(?:sudo\s+(?:-\S+\s+|\w+=\S*\s+)*)?(?:\w+=\S*\s+)*(?:apt(?:-get)?|yum|dnf)\s+(?:-\S*\s+(?:.*\s)?)?(${verbs})(?:\s|$)`,
)

/** Such a command in the file, up to the place for `-y`. */
const changingPlace = new RegExp(String.raw`\b(?:apt(?:-get)?|yum|dnf)\s+(?:${verbs})\b`, 'g')

/** The installer of Android's packages, with its arguments. */
const sdkManager = /^(?:sudo\s+)?(?:[\w$"{}~./-]*\/)?sdkmanager"?\s+([^<]*)$/

/** An option that answers all questions; `-qq` and `-q=2` do so too. */
const answered =
  /\s(?:-[a-z]*y[a-z]*|-[a-z]*q[a-z]*q[a-z]*|-q=\d|--yes|--assume-?yes|--assumeno|--force-yes|-s|--simulate|--dry-run|--just-print|--print-uris)(?=\s|$)/

const managers = /apt|yum|dnf|sdkmanager/

export const installAsks: LintRule = {
  code: 'install_asks',
  level: 'warn',
  summary: 'A command that installs or removes packages, and asks before it begins.',
  why:
    '`apt-get`, `yum` and `dnf` ask for confirmation if they have to install more than was requested. In a ' +
    'job no one answers, so the command gives up, perhaps only once a package gets a new dependency. ' +
    'With `-y` it does not ask. `sdkmanager` leaves out packages whose license was not accepted: ' +
    '`yes | sdkmanager …` accepts it. `add-apt-repository` asks only at a terminal.',
  examples: [
    {
      source: 'before_install:\n  - sudo apt-get install libxml2-dev\n',
      messages: [
        '"sudo apt-get install libxml2-dev" may ask before it installs more, and no one answers: add "-y"',
      ],
      fixed: 'before_install:\n  - sudo apt-get install -y libxml2-dev\n',
      onRequest: true,
    },
    {
      source: 'before_install: sudo dnf install gcc\n',
      messages: [
        '"sudo dnf install gcc" may ask before it installs more, and no one answers: add "-y"',
      ],
      fixed: 'before_install: sudo dnf install -y gcc\n',
      onRequest: true,
    },
    {
      source: 'before_install: sudo apt-get purge openjdk-7*\n',
      messages: [
        '"sudo apt-get purge openjdk-7*" may ask before it changes packages, and no one answers: add "-y"',
      ],
      fixed: 'before_install: sudo apt-get purge -y openjdk-7*\n',
      onRequest: true,
    },
    {
      source: 'install: sdkmanager "platforms;android-28"\n',
      messages: [
        '"sdkmanager \\"platforms;android-28\\"" may ask to accept a license, and no one answers: write ' +
          '"yes | " before it',
      ],
    },
    { source: 'install: yes | sdkmanager "platforms;android-28"\n', messages: [] },
    { source: 'install:\n  - yes | sdkmanager --licenses\n  - sdkmanager tools\n', messages: [] },
    { source: 'install: sdkmanager --list\n', messages: [] },
    { source: 'language: android\ninstall: sdkmanager tools\n', messages: [] },
    { source: 'before_install: sudo apt-get update\n', messages: [] },
    { source: 'before_install: sudo add-apt-repository ppa:a/b\n', messages: [] },
    { source: 'before_install: sudo yum -y install gcc\n', messages: [] },
    { source: 'before_install: sudo apt-get -qq install libxml2-dev\n', messages: [] },
    { source: 'before_install: sudo apt-get install --yes libxml2-dev\n', messages: [] },
    { source: 'before_install: yes | sudo apt-get install libxml2-dev\n', messages: [] },
    { source: 'before_install: sudo apt-get $OPTIONS install libxml2-dev\n', messages: [] },
  ],
  commands: managers,

  *check(context) {
    const { once } = context
    for (const { text, path } of once(allCommands)) {
      if (!managers.test(text)) continue
      if (!/install|upgrade|remove|purge|build-dep|sdkmanager/.test(text)) continue
      const parts = once(openSplitter)(text) ?? []
      for (const [index, part] of parts.entries()) {
        if (parts[index - 1]?.joint === '|') continue
        const asked = questionOf(part.text, context)
        if (asked === undefined) continue
        const message = `${quote(part.text)} may ask ${asked}`
        yield { message, path, ...fixOf(context, context.spanOf(path)) }
        break
      }
    }
  },
}

/** What a command asks, and what to do about it. */
function questionOf(command: string, { text, once }: LintContext): string | undefined {
  const [, verb] = changing.exec(command) ?? []
  // A setting of apt may answer all questions.
  if (verb !== undefined && !isAnswered(command, verb) && !/(?<!--)assume-?yes/i.test(text)) {
    const what = verb === 'install' ? 'installs more' : 'changes packages'
    return `before it ${what}, and no one answers: add "-y"`
  }
  const [, packages = ''] = sdkManager.exec(command) ?? []
  if (!isInstalling(packages) || /licen[cs]e/i.test(text) || once(isForAndroid)) return undefined
  return 'to accept a license, and no one answers: write "yes | " before it'
}

function isAnswered(command: string, verb: string): boolean {
  // A variable may contain the option.
  const options = command.slice(0, command.search(new RegExp(String.raw`\s${verb}(?:\s|$)`)))
  return answered.test(command) || options.includes('$')
}

/** Whether these arguments of `sdkmanager` name a package. */
function isInstalling(packages: string): boolean {
  return (
    /(?:^|\s)["']?[\w$]/.test(packages) &&
    !/--(?:list|licenses|uninstall|version|help)/.test(packages)
  )
}

/** Whether a job's language is Android, which includes such packages and their licenses. */
function isForAndroid({ once }: LintContext): boolean {
  return once(allSections).some(({ config }) => config.language === 'android')
}

/** The fix, if the entry contains exactly one such command, written verbatim. */
function fixOf({ text }: LintContext, at: Span | undefined): Pick<Advice, 'fix'> {
  if (!at) return {}
  const found = [...text.slice(at.start, at.end).matchAll(changingPlace)]
  const [only] = found
  if (!only || found.length > 1) return {}
  const end = at.start + only.index + only[0].length
  return { fix: { title: 'add -y', edits: [{ start: end, end, text: ' -y' }], safe: false } }
}
