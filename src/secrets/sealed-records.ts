import type { RecordRef } from './seal.ts'

/** The records that secrets are sealed for. */
export const sealedIn = {
  bodyHashKey: (): RecordRef => ({ type: 'body_hash_key', id: 1 }),
  codehostToken: (userId: number): RecordRef => ({ type: 'codehost_token', id: userId }),
  delivery: (guid: string): RecordRef => ({ type: 'delivery', id: guid }),
  envVar: (id: string): RecordRef => ({ type: 'env_var', id }),
  idempotentCall: (digest: string): RecordRef => ({ type: 'idempotent_call', id: digest }),
  keyPair: (repositoryId: number): RecordRef => ({ type: 'key_pair', id: repositoryId }),
  notification: (guid: string): RecordRef => ({ type: 'notification', id: guid }),
  registeredApp: (appId: string): RecordRef => ({ type: 'registered_app', id: appId }),
  signingKey: (): RecordRef => ({ type: 'signing_key', id: 1 }),
  sshKey: (repositoryId: number): RecordRef => ({ type: 'ssh_key', id: repositoryId }),
}
