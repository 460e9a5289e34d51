import type { Provider } from '../owner.ts'
import type { Repository } from '../repository.ts'
import type { ForkApproval } from '../request/approval.ts'
import { type Check, check } from '../request/check.ts'
import type { Settings } from '../settings.ts'

const remedy =
  'install bubblewrap on the machine of the runner, or set JOBS_WITHOUT_ISOLATION=true if everyone ' +
  'who can push to these repositories may read and change everything of the service'

/** For operators: which jobs wait because this machine cannot isolate them, and what to do about it. */
export const waitsForIsolation = `jobs of the code host’s repositories wait, because this machine cannot isolate them: ${remedy}`

/** Repositories of this machine belong to its users, who can run programs here anyway (D41). */
export function needsIsolation({ provider }: { provider: Provider }): boolean {
  return provider !== 'local'
}

/** Whether a runner isolates jobs from each other and from the service. */
export function isolates({ isolation }: { isolation: string }): boolean {
  return isolation !== 'none'
}

/** Whether a runner takes jobs of forks that no one has approved: only while its engine keeps root in check. */
export function takesUnapproved(
  { forkApproval }: { forkApproval: ForkApproval },
  { confines_root = false }: { confines_root?: boolean },
): boolean {
  return forkApproval !== 'always' && confines_root
}

/** Whether isolation rules allow a job to run; the failed check says what to do. */
export function isolationCheck(passed: boolean, without_approval = false): Check {
  const says = without_approval
    ? 'it comes from a fork, no one has approved it, and no runner takes such jobs: approve it, or set FORK_APPROVAL for a runner with containers'
    : `no runner can isolate it: ${remedy}`
  return check('isolation', passed, passed ? {} : { says })
}

/** The secrets of a repository that a job can get. */
interface SharedSecrets {
  /** Secret variables of the settings, and encrypted values of the build file. */
  variables: boolean
  ssh_key: boolean
}

/**
 * All secrets, unless the job builds a pull request from a fork: its author can make the job print
 * everything it gets, so the job gets only what the settings share, and nothing while no one has approved its
 * commit. A public repository shares no key, and an approval shares nothing.
 */
export function sharedSecrets(
  { private: isPrivate }: Pick<Repository, 'private'>,
  settings: Pick<Settings, 'share_encrypted_env_with_forks' | 'share_ssh_keys_with_forks'>,
  { from_fork, without_approval }: { from_fork: boolean; without_approval: boolean },
): SharedSecrets {
  if (!from_fork) return { variables: true, ssh_key: true }
  if (without_approval) return { variables: false, ssh_key: false }
  return {
    variables: settings.share_encrypted_env_with_forks,
    ssh_key: settings.share_ssh_keys_with_forks && isPrivate,
  }
}
