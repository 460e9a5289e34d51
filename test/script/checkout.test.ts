import { expect, test } from 'vitest'
import { readCheckout } from '../../src/script/checkout.ts'

const usual = {
  clone: true,
  depth: 50,
  submodules: true,
  submodules_depth: 50,
  quiet: false,
  lfs_skip_smudge: false,
  autocrlf: null,
  symlinks: null,
  sparse: [],
}

test.each([
  [undefined, {}],
  [null, {}],
  ['text', {}],
  [[], {}],
  [{ depth: 3 }, { depth: 3, submodules_depth: 3 }],
  [{ depth: '3' }, { depth: 3, submodules_depth: 3 }],
  [{ depth: false }, { depth: null, submodules_depth: null }],
  [{ depth: true }, {}],
  [{ depth: 'many' }, {}],
  [{ depth: -1 }, {}],
  [
    { depth: false, submodules_depth: 1 },
    { depth: null, submodules_depth: 1 },
  ],
  [{ submodules: false }, { submodules: false }],
  [{ clone: false }, { clone: false }],
  [{ quiet: true }, { quiet: true }],
  [{ quiet: 'yes' }, { quiet: true }],
  [{ lfs_skip_smudge: true }, { lfs_skip_smudge: true }],
  [{ autocrlf: true }, { autocrlf: 'true' }],
  [{ autocrlf: 'input' }, { autocrlf: 'input' }],
  [{ autocrlf: '$(id)' }, {}],
  [{ symlinks: false }, { symlinks: false }],
  [{ sparse_checkout: 'docs' }, { sparse: ['docs'] }],
  [{ sparse_checkout: ['docs', 'src'] }, { sparse: ['docs', 'src'] }],
])('git: %j', (git, differing) => {
  expect(readCheckout(git)).toEqual({ ...usual, ...differing })
})
