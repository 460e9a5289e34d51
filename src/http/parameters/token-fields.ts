import { type TokenScope, tokenScopes } from '../../access/scopes.ts'
import { validationFailed } from '../../domain/errors.ts'
import { idIn } from '../find-record.ts'
import { listIn } from '../list-in.ts'
import { parameter, splitName } from './parameter.ts'

const invalid = (name: string) =>
  validationFailed([{ field: splitName(name).key, code: 'invalid' }])

/** What a token is to be for, at least one of these words; to read if nothing was sent. */
export const scopeList = <const T extends TokenScope>(among: readonly T[]) =>
  parameter<readonly T[]>({
    schema: { type: 'array', items: { type: 'string', enum: among }, minItems: 1 },
    parse: (given) => (given === undefined ? ['read'] : [...new Set(listIn(given))]),
    refuse: invalid,
  })

/** Ids, every one of them valid; undefined if none were sent, or null. */
export const exactIds = (most: number) =>
  parameter<readonly number[] | undefined>({
    schema: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: most },
    parse: (given) =>
      given === undefined || given === null
        ? undefined
        : [...new Set(listIn(given))].map((each) => idIn(each) ?? each),
    refuse: invalid,
  })

/** What a token of a repository can be for: it does not administer the installation. */
export const scopesInRepository = tokenScopes.filter((scope) => scope !== 'admin')
