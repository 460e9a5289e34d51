import { type Checkout, checkoutFolder, readCheckout } from './checkout.ts'
import type { ScriptInput } from './input.ts'
import { quote } from './shell/bash.ts'
import { shellClone } from './shell/shell-clone.ts'
import { shellLog } from './shell/shell-log.ts'
import { sshAgent } from './ssh-agent.ts'
import { say } from './steps.ts'

/**
 * The program that puts the commit into `$HOME/build/<slug>`. It exits with 0, with 2, because 1 would
 * count as a failed test, or with a code of `clone-codes.ts`.
 */
export function cloneProgram(input: ScriptInput): string {
  const checkout = readCheckout(input.config.git)
  const folder = `"$HOME/"${quote(checkoutFolder(input.repository.slug))}`
  const enter = `command -p mkdir -p ${folder} && cd ${folder}`
  return [
    ...['{', 'exec </dev/null', shellLog, shellClone],
    ...input.notes.map((note) => say('yellow', note)),
    `{ ${enter}; } || fail 'The folder of the build cannot be created.'`,
    ...(checkout.clone ? fetching(input, checkout) : [say('dim', nothingFetched)]),
    ...['exit 0', '}', ''],
  ].join('\n')
}

const nothingFetched = 'Nothing is fetched, because git.clone is false in .service.yml.'

const withheldKeyNote =
  'This job builds a pull request from a fork, so it does not get the SSH key of the repository ' +
  'settings: what only that key can read, such as a private submodule, cannot be fetched. The setting ' +
  'share_ssh_keys_with_forks would share it, in private repositories.'

function fetching(input: ScriptInput, checkout: Checkout): string[] {
  const { commit, source, ssh_key, withheld_ssh_key } = input
  // Git would read a value that begins with a dash as an option.
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit.sha)) {
    return [`fail ${quote(`"${commit.sha}" is not the hash of a commit.`)}`]
  }
  const { depth, quiet, submodules } = checkout
  return [
    "command -v git >/dev/null || fail 'Git is not installed, so the commit cannot be fetched.'",
    'export GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=echo',
    ...(checkout.lfs_skip_smudge ? ['export GIT_LFS_SKIP_SMUDGE=1'] : []),
    ...(withheld_ssh_key ? [say('yellow', withheldKeyNote)] : []),
    sshAgent(ssh_key, 'clone'),
    ...from(source),
    ...(ssh_key && 'url' in source ? throughSsh(source.url) : []),
    `sha=${quote(commit.sha)} ref=${quote(commit.ref)}`,
    `history=(${historyOption(depth)}) quiet=(${quiet ? '--quiet' : '--no-progress'})`,
    'service_fold start git.checkout',
    'service_time_start',
    'g init -q . || fail "The repository cannot be created."',
    'g remote add origin "$url" 2>/dev/null || g remote set-url origin "$url"',
    ...settings(checkout),
    'fetch_commit',
    'checkout_commit',
    ...(commit.tag_name === null ? [] : [`fetch_tag ${quote(commit.tag_name)}`]),
    ...['service_time_finish checkout', 'service_fold end git.checkout'],
    // Submodules can name any folder, and must not be read from this machine.
    ...('input' in source ? ["options=(-c 'safe.directory=*')"] : []),
    ...(submodules ? updateSubmodules(checkout) : []),
    ...('input' in source ? forgetInput : []),
  ]
}

function depthOption(depth: number | null): string {
  return depth === null ? '' : `--depth=${depth}`
}

/** A fetch by hash brings no tags, which belong to the whole history. */
function historyOption(depth: number | null): string {
  return depth === null ? '--tags' : depthOption(depth)
}

function updateSubmodules({ submodules_depth, quiet }: Checkout): string[] {
  return [
    `quiet=(${quiet ? '--quiet' : ''})`,
    `update_submodules ${depthOption(submodules_depth)}`.trimEnd(),
  ]
}

/** Sets the address, and the options that git needs to read from it. */
function from(source: ScriptInput['source']): string[] {
  if ('input' in source) return fromInput(source.input)
  const options = ['-c', 'credential.helper=']
  const origin = originOf(source.url)
  if (source.token === null || origin === undefined) {
    return [`url=${quote(source.url)}`, `options=(${options.map(quote).join(' ')})`]
  }
  // The helper contains only the name of the variable: neither command lines nor traces show the token.
  const helper = [
    '!f() { test "$1" = get && ',
    String.raw`printf "username=x-access-token\npassword=%s\n" "$SERVICE_CLONE_TOKEN"; }; f`,
  ].join('')
  options.push('-c', `credential.${origin}.helper=${helper}`)
  return [
    `export SERVICE_CLONE_TOKEN=${quote(source.token)}`,
    `url=${quote(source.url)}`,
    `options=(${options.map(quote).join(' ')})`,
  ]
}

/** A custom key is also used for the repository, unless it was made for others only. */
function throughSsh(url: string): string[] {
  if (originOf(url) === undefined) return []
  const { hostname, pathname } = new URL(url)
  return [`choose_ssh ${quote(`ssh://git@${hostname}${pathname}`)}`]
}

function originOf(url: string): string | undefined {
  const origin = URL.canParse(url) ? new URL(url).origin : 'null'
  return origin === 'null' ? undefined : origin
}

/** The folder may belong to another user, which git must allow on both ends. */
function fromInput(input: string): string[] {
  const options = [
    ...['-c', 'protocol.file.allow=always', '-c', 'safe.directory=*'],
    ...['-c', 'remote.origin.uploadpack=git -c safe.directory=* upload-pack'],
  ]
  return [
    `url="file://$SERVICE_INPUT/"${quote(input)}`,
    `options=(${options.map(quote).join(' ')})`,
  ]
}

/** The folder does not exist while the job runs, so nothing may point there. */
const forgetInput = ['g remote remove origin', 'command -p rm -f .git/FETCH_HEAD']

function settings({ autocrlf, symlinks, sparse }: Checkout): string[] {
  const lines = [
    ...(autocrlf === null ? [] : [`g config core.autocrlf ${autocrlf}`]),
    ...(symlinks === null ? [] : [`g config core.symlinks ${symlinks}`]),
  ]
  if (sparse.length === 0) return lines
  const patterns = sparse.map((pattern) => quote(pattern)).join(' ')
  return [
    ...lines,
    'g config core.sparseCheckout true',
    `printf '%s\\n' ${patterns} >.git/info/sparse-checkout`,
  ]
}
