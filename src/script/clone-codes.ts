// What the clone program ends with where it is no result of the job, which is run again. The names
// and numbers are those of sysexits.h.

/** EX_TEMPFAIL: the disk of its machine is full. */
export const noRoomCode = 75

/** EX_NOPERM: the code host refuses the credential, as it does for a while after it was made (D36). */
export const refusedCode = 77
