import { type TokenScope, tokenScopes } from '../../access/scopes.ts'
import { validationFailed } from '../../domain/errors.ts'
import { listIn } from '../core/list-in.ts'
import { idIn } from '../core/path-id.ts'
import { parameter, splitName } from './parameter.ts'

const invalid = (name: string) =>
  validationFailed([{ field: splitName(name).key, code: 'invalid' }])

/** The scopes of a token, at least one of these words; `read` if nothing was sent. */
export const scopeList = <const T extends TokenScope>(among: readonly T[]) =>
  parameter<readonly T[]>({
    schema: { type: 'array', items: { type: 'string', enum: among }, minItems: 1 },
    parse: (given) => (given === undefined ? ['read'] : [...new Set(listIn(given))]),
    refuse: invalid,
  })

/** Ids, all of which must be valid; undefined if none were sent, or null. */
export const exactIds = (most: number) =>
  parameter<readonly number[] | undefined>({
    schema: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: most },
    parse: (given) =>
      given === undefined || given === null
        ? undefined
        : [...new Set(listIn(given))].map((each) => idIn(each) ?? each),
    refuse: invalid,
  })

/** The possible scopes of a repository's token: all except the installation's administration. */
export const scopesInRepository = tokenScopes.filter((scope) => scope !== 'admin')
