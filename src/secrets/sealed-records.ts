import type { RecordRef } from './seal.ts'

/** The records that secrets of repositories and users are sealed for. */
export const sealedIn = {
  envVar: (id: string): RecordRef => ({ type: 'env_var', id }),
  keyPair: (repositoryId: number): RecordRef => ({ type: 'key_pair', id: repositoryId }),
  codehostToken: (userId: number): RecordRef => ({ type: 'codehost_token', id: userId }),
  sshKey: (repositoryId: number): RecordRef => ({ type: 'ssh_key', id: repositoryId }),
}
