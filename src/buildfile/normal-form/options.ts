/** How a build file is brought into its normal form; each has a default. */
export interface NormalOptions {
  /** Whether secrets in plain text are reported. */
  alert: boolean
  /** Whether missing keys get their defaults. */
  defaults: boolean
  /** Whether empty maps and sequences are reported. */
  empty: boolean
  /** Whether misspelt keys and values are corrected. */
  fix: boolean
  /** Whether messages include their line. */
  line: boolean
  /** Whether keys and values that do not apply to the language, os or dist are reported. */
  support: boolean
  /** Whether invalid parts are left out of the normal form. */
  drop: boolean
}

export const normalOptions: NormalOptions = {
  alert: true,
  defaults: true,
  empty: false,
  fix: true,
  line: true,
  support: false,
  drop: false,
}
