import type { Repository } from '../repository.ts'
import type { Settings } from '../settings.ts'

/** What of a repository's secrets a job can have. */
export interface SharedSecrets {
  /** Secret variables of the settings, and encrypted values of the build file. */
  variables: boolean
  ssh_key: boolean
}

/**
 * All of it, unless the job builds a pull request from a fork: its author can have the job print
 * whatever it gets, so that only what the settings share is there. A public repository shares no key,
 * and an approval shares nothing.
 */
export function sharedSecrets(
  { private: isPrivate }: Pick<Repository, 'private'>,
  settings: Pick<Settings, 'share_encrypted_env_with_forks' | 'share_ssh_keys_with_forks'>,
  from_fork: boolean,
): SharedSecrets {
  if (!from_fork) return { variables: true, ssh_key: true }
  return {
    variables: settings.share_encrypted_env_with_forks,
    ssh_key: settings.share_ssh_keys_with_forks && isPrivate,
  }
}
