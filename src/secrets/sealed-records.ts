import type { RecordRef } from './seal.ts'

/** The records that secrets are sealed for. */
export const sealedIn = {
  envVar: (id: string): RecordRef => ({ type: 'env_var', id }),
  keyPair: (repositoryId: number): RecordRef => ({ type: 'key_pair', id: repositoryId }),
  registeredApp: (appId: string): RecordRef => ({ type: 'registered_app', id: appId }),
  sshKey: (repositoryId: number): RecordRef => ({ type: 'ssh_key', id: repositoryId }),
}
