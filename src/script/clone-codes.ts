// Exit codes of the clone program that are not a result of the job, which is run again. Names and
// numbers are from sysexits.h.

/** EX_TEMPFAIL: the disk of its machine is full. */
export const noRoomCode = 75

/** EX_NOPERM: the code host refuses the credential, as it does for a while after creating it (D36). */
export const refusedCode = 77
