/** The merchant that verbs and control calls act on when none is named. */
export const defaultMerchant = 'default';
