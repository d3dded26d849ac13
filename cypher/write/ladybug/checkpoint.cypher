// name: Complete the changes that were committed
// params: none
// store: ladybug
CHECKPOINT
